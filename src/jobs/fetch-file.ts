export class FetchFailure extends Error {
  readonly final: boolean = false;
}
