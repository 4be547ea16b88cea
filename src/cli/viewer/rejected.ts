/** Request of the viewer's page that is not answered, with the status of HTTP that says why. */
export class Rejected extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
