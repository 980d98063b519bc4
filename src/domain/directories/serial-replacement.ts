/** One serial takes the place of another, at every user. */
export interface SerialReplacement {
  readonly from: string;
  readonly to: string;
}
