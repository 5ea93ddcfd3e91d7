// The port that the API is served over: a runner implements it for its own sessions, a hub for those of many runners.
import type { SessionView } from '@roost/core/views/session-view';
import type { Device } from '@roost/protocol/api/devices';
import type { QueuedPrompt } from '@roost/protocol/api/driving';
import type { EnforcedLaunch } from '@roost/protocol/api/launches';
import type { PushSubscriptionBody } from '@roost/protocol/api/push';
import type { AttachTerminal, TerminalServerFrame } from '@roost/protocol/api/terminals';
import type { AskRow, Principal } from '@roost/protocol/ask';
import type { Contract } from '@roost/protocol/contract/contract';
import type { Awaitable, Handlers } from '@roost/protocol/contract/operation';
import type { FeedEvent } from '@roost/protocol/feed/event';
import type { CommandProof } from '@roost/protocol/hub/command-proof';
import type { DeviceId, RunnerId, SessionId, StreamId, TerminalId } from '@roost/protocol/ids';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Result } from '@roost/protocol/result';
import type { SessionTile } from '@roost/protocol/session-row';

/** The resources of a backend; the gateway itself answers the others. */
export type BackendResource = Exclude<
	keyof Contract,
	'feed' | 'commands' | 'login' | 'devices' | 'push' | 'server' | 'runners' | 'sockets'
>;

export type Backend = { readonly [R in BackendResource]: Handlers<Contract[R]> } & {
	readonly runner: { id: RunnerId; name: string; version: string };
	readonly receipts: Receipts;
	readonly log: StoredLog;
	readonly sessionRows: SessionRows;
	/** A copy of the view of a session in memory, of its stored events; undefined otherwise: then it is folded from the log. */
	liveView(id: SessionId): Awaitable<SessionView | undefined>;
	/** The text of an export, a part at a time; it throws where the rest cannot be read. */
	exportSession(id: SessionId): Awaitable<Result<AsyncIterable<string>>>;
	readonly deviceBook: DeviceBook;
	readonly pushBook: PushBook;
	readonly screens: TerminalScreens;
	/** Sent to a new client first. */
	pending(): Awaitable<Pending>;
	/** Called after every commit, in order. Returns the unsubscribe function. */
	onUpdate(handler: (update: BackendUpdate) => void): () => void;
	/** A client follows a stream; while it does, a hub asks the runner for its deltas. */
	readonly watch?: (stream: StreamId) => () => void;
};

export type Pending = {
	/** Oldest first. */
	asks: readonly AskRow[];
	/** Of sessions with queued prompts. */
	prompts: readonly PromptsUpdate[];
	/** Running agents whose calls are blocked while no runner is up. */
	enforced: readonly EnforcedLaunch[];
};

/** Runs each command once: a repeat of its id, also after a restart, gets the first result. */
export type Receipts = { run(command: RunOnce): Promise<Result<unknown>> };

export type RunOnce = {
	id: string;
	/** `<resource>.<operation>` and its input: an id that was used for another command is a `conflict`. */
	name: string;
	input: Readonly<Record<string, unknown>>;
	/** Its effect is outside the record. */
	outside: boolean;
	/** A repeat after a restart gets the first failure too. */
	keepsFailure?: boolean | undefined;
	/** Kept in its facts. */
	proof?: CommandProof | undefined;
	work: () => Promise<Result<unknown>>;
};

/** Stored lines as bytes, by offset of one stream or by seqNo over all. */
export type StoredLog = {
	/** By seqNo: those of the runner alone, so that its places are contiguous. */
	read(
		query: { stream: StreamId; after: number; limit: number } | { afterSeqNo: number; limit: number },
	): Awaitable<Result<LogEntry[]>>;
	/** The offset of the newest line of a stream; 0 where there is none. */
	lastOffset(stream: StreamId): Awaitable<Result<number>>;
	epoch(): Result<number>;
	/** The seqNo of the last line; 0 in an empty log. */
	head(): Result<number>;
};

/** Rows for the live list of sessions. */
export type SessionRows = {
	/** Newest first, without archived sessions, after the last one of the page before. */
	page(query: { after: SessionId | undefined; limit: number }): Awaitable<Result<SessionTile[]>>;
	/** Of the sessions that exist. */
	of(ids: readonly SessionId[]): Awaitable<Result<SessionTile[]>>;
};

/** Browsers that may act for the user, each by a key of its own. */
export type DeviceBook = {
	/** Oldest first. */
	list(): Device[];
	find(id: DeviceId): Device | undefined;
	/** Resolves when it is recorded; a known key keeps its device. */
	register(body: { name: string; origin: string; publicKey: string }, by: Principal): Promise<Result<Device>>;
	/** It logged in. */
	noteSeen(id: DeviceId): void;
	/** Effective from the moment of the call, even if it cannot be recorded. */
	revoke(id: DeviceId, by: Principal): Promise<Result<void>>;
};

/** Notifications of devices, at most one subscription each. */
export type PushBook = {
	/** Made when it is first requested. */
	publicKey(): Result<string>;
	has(device: DeviceId): boolean;
	/** Replaces the one before. Refused for the address of an unknown push service. */
	subscribe(device: DeviceId, subscription: PushSubscriptionBody, by: Principal): Promise<Result<void>>;
	unsubscribe(device: DeviceId, by: Principal): Promise<Result<void>>;
	/** Resolves when the push service has accepted it. */
	test(device: DeviceId): Promise<Result<void>>;
	/** The device was revoked. */
	forget(device: DeviceId): void;
};

/** The screens of terminals, for viewers. */
export type TerminalScreens = {
	/** A new viewer gets everything through its sink, from a snapshot on. */
	attach(id: TerminalId, request: AttachTerminal, sink: TerminalSink): Result<TerminalViewer>;
};

/** Frames and bytes go to the viewer in the order they are given in. */
export type TerminalSink = {
	frame(frame: TerminalServerFrame): void;
	/** The bytes are valid during the call only. */
	bytes(bytes: Uint8Array): void;
	/** After the last frame. */
	end(): void;
};

export type TerminalViewer = {
	/** Everything up to this position was shown. */
	ack(position: number): void;
	input(bytes: Uint8Array): void;
	resize(size: { cols: number; rows: number }): void;
	/** Takes control from its current holder. */
	take(): void;
	/** The client disconnected; its control stays reserved for a moment, unless it left on purpose. */
	leave(how: 'lost' | 'left'): void;
};

/** All queued prompts of a session; may be empty. */
export type PromptsUpdate = { sessionId: SessionId; prompts: readonly QueuedPrompt[] };

export type BackendUpdate = {
	/** Stored lines, in seqNo order. */
	entries: readonly LogEntry[];
	/** Events that are broadcast and never stored. */
	deltas: readonly FeedEvent[];
	asks: readonly AskRow[];
	prompts: readonly PromptsUpdate[];
	/** Sessions whose files may have changed. */
	changed: readonly SessionId[];
	/** Another epoch began, whose lines start from the first: clients have to start again. */
	isRestored?: boolean;
};
