/** A refusal that a person sees as a page: what happened and what to do. `headline` and `message` are our own sentences. */
export class PageError extends Error {
  readonly status: number;
  readonly headline: string;
  constructor(status: number, headline: string, message: string) {
    super(message);
    this.name = 'PageError';
    this.status = status;
    this.headline = headline;
  }
}
