// The rules of plans per type: which fields a plan of a type has and needs. The server names the
// field that breaks a rule and the nearest accepted value; the CLI and the operator console show
// that.
import { type PlanKind, PlanType } from '../../core/earn/plan.ts';
import { invalidField } from '../problem.ts';

const { flexible, fixed, customized } = PlanType;

/** The kind of a new plan in the words of the wire: each type has its own fields. */
export type TypedPlan =
  | { readonly planType: typeof flexible; readonly autoCompound: boolean }
  | { readonly planType: typeof fixed; readonly lockDay: number }
  | {
      readonly planType: typeof customized;
      readonly minLockDay: number;
      readonly maxLockDay: number;
    };

interface TypeRules {
  readonly name: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The fields of each type beside those that every plan has. */
const PLAN_RULES: Readonly<Record<PlanType, TypeRules>> = {
  [flexible]: { name: 'flexible', required: ['apr'], optional: ['autoCompound'] },
  [fixed]: {
    name: 'fixed',
    required: ['apr', 'lockDay'],
    optional: ['supportAutoRenew', 'booster'],
  },
  [customized]: {
    name: 'customized',
    required: ['minApr', 'maxApr', 'minLockDay', 'maxLockDay'],
    optional: ['supportAutoRenew', 'booster'],
  },
};

const ALL_RULES = Object.values(PLAN_RULES);
const hasField = ({ required, optional }: TypeRules, field: string): boolean =>
  required.includes(field) || optional.includes(field);
const TYPED_FIELDS = new Set(
  ALL_RULES.flatMap(({ required, optional }) => [...required, ...optional]),
);

type JsonFields = Readonly<Record<string, unknown>>;

/** The fields that a new plan of this type must have. */
export const requiredFields = (planType: PlanType): readonly string[] =>
  PLAN_RULES[planType].required;

/** The types whose plans have the field, or have a choice about it; null for all. */
export function planTypesOf(field: string): readonly PlanType[] | null {
  if (field === 'supportEarlyRedemption') return [fixed, customized];
  if (!TYPED_FIELDS.has(field)) return null;
  return Object.values(PlanType).filter((type) => hasField(PLAN_RULES[type], field));
}

/** Throws Problem for a field that plans of this type do not have. */
export function rejectForeignFields(planType: PlanType, body: JsonFields): void {
  const rules = PLAN_RULES[planType];
  for (const field of TYPED_FIELDS) {
    const sent = body[field];
    // A field that is false or null is absent.
    if (sent === undefined || sent === null || sent === false || hasField(rules, field)) continue;
    const others = ALL_RULES.filter((other) => hasField(other, field)).map(({ name }) => name);
    const of = `${others.join(' and ')} plans`;
    const must = `be left out: this plan is ${rules.name}, and it is a field of ${of}`;
    throw invalidField(field, must, { rule: 'planType' });
  }
  if (planType !== flexible || body.supportEarlyRedemption !== false) return;
  const must = 'be true or left out: a flexible plan can be redeemed at any time';
  throw invalidField('supportEarlyRedemption', must, { rule: 'planType' });
}

/** The days of a new plan as the core has them. Throws Problem. */
export function lockDaysOf(plan: TypedPlan): Pick<PlanKind, 'minLockDay' | 'maxLockDay'> {
  switch (plan.planType) {
    case flexible:
      return { minLockDay: 0, maxLockDay: 0 };
    case fixed:
      return { minLockDay: plan.lockDay, maxLockDay: plan.lockDay };
    case customized: {
      const { minLockDay, maxLockDay } = plan;
      if (maxLockDay >= minLockDay) return { minLockDay, maxLockDay };
      const details = { limit: minLockDay, value: maxLockDay, nearest: minLockDay };
      throw invalidField('maxLockDay', 'not be below minLockDay', { rule: 'minimum', ...details });
    }
  }
}
