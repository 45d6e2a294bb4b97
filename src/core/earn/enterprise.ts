// Enterprises: companies whose members save together. Of what its members earn an enterprise may keep a margin, an annual
// rate for each plan.
export interface Enterprise {
  /** Dense, from 1. */
  readonly enterpriseId: number;
  readonly name: string;
  /** Annual rates in 10^-8 by planId; none: 0. */
  readonly margins: Map<number, number>;
}
