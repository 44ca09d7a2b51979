import { TimeSlices } from '../../src/db/connection/bounds.js';

/** Time slices that end before every second record, so that work continues in later turns wherever it can. */
export class ShortSlices extends TimeSlices {
  #looks = 0;

  override get isDivided(): boolean {
    return true;
  }

  override get isOver(): boolean {
    return ++this.#looks % 2 === 1;
  }
}
