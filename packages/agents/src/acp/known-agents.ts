// What is known of single ACP agents and cannot be learned from the protocol, by the name each gives itself. Seen by running them.

export type KnownAgent = {
	/** The mode in which it asks, where it begins in one in which it does not. */
	askingMode?: string | undefined;
	/** The numbers at the end of a turn are those of the whole session. */
	countsSession?: true | undefined;
};

const KNOWN: ReadonlyMap<string, KnownAgent> = new Map<string, KnownAgent>([
	// In its own first mode a model reviews what it does, and nobody is asked.
	['@agentclientprotocol/codex-acp', { askingMode: 'workspace-write' }],
	['Copilot', { countsSession: true }],
]);

export function knownAgent(name: string | undefined): KnownAgent {
	return KNOWN.get(name ?? '') ?? {};
}
