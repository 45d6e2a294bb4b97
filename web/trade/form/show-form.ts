// On telephones the form is further down than what leads to it.

/** Brings the form into sight and puts the focus on its quantity, or on its first field. */
export function showOrderForm(field: 'quantity' | 'first'): void {
  const form = document.getElementById('order-form');
  const inputs = form?.querySelectorAll<HTMLInputElement>('input[inputmode="decimal"]') ?? [];
  const wanted = [...inputs].find(({ id }) => field === 'first' || id === 'order-quantity');
  form?.scrollIntoView({ block: 'start' });
  wanted?.focus({ preventScroll: true });
}
