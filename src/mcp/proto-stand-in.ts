/** The SDK copies arguments into objects that lose `__proto__`: it goes under a name that no other argument can have. */
export const PROTO_STAND_IN = "__proto__\0";
