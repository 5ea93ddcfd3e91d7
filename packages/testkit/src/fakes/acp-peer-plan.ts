// The script of an ACP agent, as data: passed to its process as one argument.
import { fileURLToPath } from 'node:url';

export type PeerAct =
	| { readonly act: 'say'; readonly chunks: readonly string[]; readonly everyMs?: number }
	| { readonly act: 'call'; readonly call: PeerCall }
	/** Any update, also an unknown one. */
	| { readonly act: 'update'; readonly update: Readonly<Record<string, unknown>> }
	/** Raw lines outside of the protocol. */
	| { readonly act: 'garbage'; readonly lines: readonly string[] }
	| { readonly act: 'error'; readonly message: string }
	| { readonly act: 'hang' }
	| { readonly act: 'exit'; readonly code: number; readonly stderr?: string }
	| { readonly act: 'stop'; readonly reason: string };

export type PeerCall = {
	readonly id: string;
	readonly kind: string;
	readonly title: string;
	readonly input?: Readonly<Record<string, unknown>>;
	/** The kinds of the options in its permission request; without any it does not ask. */
	readonly asks?: readonly string[];
	/** The content of the call. */
	readonly content?: readonly Readonly<Record<string, unknown>>[];
	/** The file that it creates, in the folder of the session. */
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
	/** Delay before it answers. */
	readonly startMs?: number;
	/** Writes this to stderr and exits. */
	readonly crashes?: string;
	/** Reads and never answers. */
	readonly isDeaf?: boolean;
	/** How it resumes sessions. */
	readonly resumesBy?: 'load' | 'resume';
	readonly forks?: boolean;
	/** Modes and options that it reports for a session. */
	readonly session?: Readonly<Record<string, unknown>>;
	/** The usage it reports for each turn. */
	readonly usage?: PeerUsage;
};

export type PeerUsage = { readonly inputTokens: number; readonly outputTokens: number; readonly totalTokens: number };

export const ASKS = ['allow_always', 'allow_once', 'reject_once'] as const;

/** Its sessions lie in the HOME of its environment. */
export function acpPeerArgv(plan: PeerPlan): readonly [string, ...string[]] {
	return [process.execPath, fileURLToPath(new URL('acp-peer.ts', import.meta.url)), JSON.stringify(plan)];
}
