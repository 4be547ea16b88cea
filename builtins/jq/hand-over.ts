/** Thrown where our own jq is not certain to do what jq does: the module then does it, errors included. */
export class HandOver extends Error {
  override readonly name = "HandOver";
}
