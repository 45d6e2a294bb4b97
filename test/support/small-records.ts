// Records that do a fill or two, for all cores of this process: orders and batches then go on in
// later commands, and faults fall between their slices.
import { UNIT, Work } from '../../src/core/work.ts';

const UNITS = 2;

/** Until it is disposed. All cores of a venue need the same records. */
export function smallRecords(): Disposable {
  const { beginRecord, beginTimers } = Work.prototype;
  Work.prototype.beginRecord = function () {
    this.left = UNITS * UNIT;
  };
  Work.prototype.beginTimers = function () {
    this.left = Math.max(this.left, UNITS * UNIT);
  };
  return {
    [Symbol.dispose]() {
      Object.assign(Work.prototype, { beginRecord, beginTimers });
    },
  };
}
