/** A workspace in which a new day has begun. */
export interface Day {
  readonly organizationId: string;
  readonly teamId: string;
  /** The last finished day. */
  readonly through: Date;
  /** The current day. */
  readonly today: Date;
  /** The time at which it began. */
  readonly begin: Date;
}
