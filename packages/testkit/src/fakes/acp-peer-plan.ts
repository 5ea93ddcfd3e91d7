// What a scripted ACP agent does, as data: it goes to the agent's process as one argument.
import { fileURLToPath } from 'node:url';

export type PeerAct =
	| { readonly act: 'say'; readonly chunks: readonly string[]; readonly everyMs?: number }
	| { readonly act: 'call'; readonly call: PeerCall }
	/** Any update, also one that nobody knows. */
	| { readonly act: 'update'; readonly update: Readonly<Record<string, unknown>> }
	/** Lines that are not of the protocol, as they are. */
	| { readonly act: 'garbage'; readonly lines: readonly string[] }
	| { readonly act: 'error'; readonly message: string }
	| { readonly act: 'hang' }
	| { readonly act: 'exit'; readonly code: number; readonly lastWords?: string }
	| { readonly act: 'stop'; readonly reason: string };

export type PeerCall = {
	readonly id: string;
	readonly kind: string;
	readonly title: string;
	readonly input?: Readonly<Record<string, unknown>>;
	/** The kinds of the options with which it asks; without any it asks nobody. */
	readonly asks?: readonly string[];
	/** What is told of its content. */
	readonly content?: readonly Readonly<Record<string, unknown>>[];
	/** The file that it makes, in the folder of the session. */
	readonly makes?: string;
	readonly output?: string;
	readonly fails?: boolean;
};

export type PeerPlan = {
	/** Acts by a phrase of the prompt; the first that fits is played. */
	readonly turns: Readonly<Record<string, readonly PeerAct[]>>;
	readonly name?: string;
	/** The version of the protocol that it answers with. */
	readonly version?: number;
	/** Waits so long before it says anything. */
	readonly startMs?: number;
	/** Says this on stderr and is gone. */
	readonly crashes?: string;
	/** Reads and never answers. */
	readonly isDeaf?: boolean;
	/** How it takes up earlier sessions. */
	readonly takesUp?: 'load' | 'resume';
	readonly forks?: boolean;
	/** Modes and options, as it tells them of a session. */
	readonly session?: Readonly<Record<string, unknown>>;
	/** What it says that each turn used. */
	readonly usage?: PeerUsage;
};

export type PeerUsage = { readonly inputTokens: number; readonly outputTokens: number; readonly totalTokens: number };

export const ASKS = ['allow_always', 'allow_once', 'reject_once'] as const;

/** Its sessions lie in the HOME of its environment. */
export function acpPeerArgv(plan: PeerPlan): readonly [string, ...string[]] {
	return [process.execPath, fileURLToPath(new URL('acp-peer.ts', import.meta.url)), JSON.stringify(plan)];
}
