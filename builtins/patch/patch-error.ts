/** An error that ends patch with status 2: `patch: **** MESSAGE`. */
export class PatchError extends Error {
  override readonly name = "PatchError";
}
