/** An error that ends fd before it searches, in its own words: printed after "[fd error]: ", exit status 1. */
export class FdError extends Error {
  override readonly name = "FdError";
}
