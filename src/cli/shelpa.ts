/** The command `shelpa`. Its code is loaded once Node has been told where compiled code is kept. */
import { keepCompiledCode } from "../host/compiled-code.ts";

keepCompiledCode();
await import("./shelpa-main.ts");
