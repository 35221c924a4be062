/** The secrets met while masking, so that what repeats them elsewhere can be masked too. */
export interface Found {
  add(secret: string): void;
}
