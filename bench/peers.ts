/** Other shells for agents that the benchmarks run beside ours. */

export const PEERS = ["just-bash", "bashkit"] as const;
export type PeerName = (typeof PEERS)[number];

export const isPeer = (name: string): name is PeerName => PEERS.some((peer) => peer === name);
