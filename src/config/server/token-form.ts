/** Form of a bearer token that somebody made: long enough, and of what a header can carry. */

/** A shorter token is a guess away. */
const LEAST_CHARACTERS = 16;

export const isTokenForm = (token: string): boolean => token.length >= LEAST_CHARACTERS && !/[^\x21-\x7e]/.test(token);

export const TOKEN_FORM = `the token must be at least ${LEAST_CHARACTERS} printable ASCII characters, without blanks`;
