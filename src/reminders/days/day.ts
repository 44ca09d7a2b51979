/** A workspace on whose clock a day has begun. */
export interface Day {
  readonly organizationId: string;
  readonly teamId: string;
  /** The last day that is done with. */
  readonly through: Date;
  /** The day that it is now. */
  readonly today: Date;
  /** The moment at which it began. */
  readonly begin: Date;
}
