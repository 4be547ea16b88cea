/** factor through the guard and the engine. */
import { factor } from "../../../builtins/factor/factor.ts";
import { cases } from "../../cases.ts";

cases(factor, [
  { name: "primes", command: "factor 360 1 0", stdout: "360: 2 2 2 3 3 5\n1:\n0:\n" },
  { name: "large", command: "factor 18446744073709551617", stdout: "18446744073709551617: 274177 67280421310721\n" },
  { name: "from standard input", command: "factor", stdin: "12 7\n", stdout: "12: 2 2 3\n7: 7\n" },
  { name: "no number", command: "factor x 3", stdout: "3: 3\n", stderr: "factor: ‘x’ is not a valid positive integer\n", exit: 1 },
]);
