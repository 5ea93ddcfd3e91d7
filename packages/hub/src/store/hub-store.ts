// The port of a hub's storage: replicas of the logs of its runners, their rows, commands on their way, and people.
import type { UsageRow } from '@roost/core/usage/group-usage';
import type { Device } from '@roost/protocol/api/devices';
import type { AskRow, Principal } from '@roost/protocol/ask';
import type { CommandClass } from '@roost/protocol/hub/accepts';
import type { LinkCall, LinkOutcome, LogEnd, RowChanges } from '@roost/protocol/hub/link-frames';
import type { AskId, DeviceId, RunnerId, SessionId, StreamId } from '@roost/protocol/ids';
import type { LogName } from '@roost/protocol/log-cursor';
import type { LogEntry } from '@roost/protocol/log-entry';
import type { Result } from '@roost/protocol/result';
import type { SessionRow } from '@roost/protocol/session-row';
import type { PromptQueue } from '@roost/store/store';

/** Every call ends within a time limit, as `store_unavailable` where the database does not answer. */
export type HubStore = AsyncDisposable & {
	readonly logs: HubLogs;
	readonly rows: HubRows;
	readonly words: HubWords;
	readonly runners: HubRunners;
	readonly commands: HubCommands;
	readonly people: HubPeople;
	readonly audit: HubAudit;
	/** What all nodes of a hub share, such as its key: the first value that is given for a name stays. */
	keep(name: string, value: string): Promise<Result<string>>;
};

export type HubLogs = {
	/**
	 * All lines of a batch with their rows, or nothing; resolves when they are on disk. Known lines are skipped, and rows are stored
	 * only with lines that were not known. A gap before the first line stores nothing and returns the end unchanged. A line that
	 * differs from the stored one, or whose chain does not lead to the head of the batch, is `corrupt`; a log that is not the current
	 * one of a runner is a `conflict`.
	 */
	take(batch: PlacedBatch): Promise<Result<Taken>>;
	/** 0 and null for an empty or unknown log. */
	end(log: LogName): Promise<Result<ReplicaEnd>>;
	/** The newest epoch of a runner; undefined before its first connection. */
	current(runner: RunnerId): Promise<Result<LogName | undefined>>;
	/**
	 * A newer epoch ends the ones before, which stay readable, and empties the tables of the runner; `why` is stored. The current one
	 * stays as it is. An older one is a `conflict`, one of a runner that was not paired is `not_found`.
	 */
	openEpoch(log: LogName, why: string, at: number): Promise<Result<void>>;
	/** Stored lines in order, as the bytes that arrived. */
	read(log: LogName, query: PageQuery): Promise<Result<LogEntry[]>>;
	/** The offset of the newest line of a stream; 0 where there is none. */
	lastOffset(log: LogName, stream: StreamId): Promise<Result<number>>;
};

export type PageQuery = { stream: StreamId; after: number; limit: number } | { afterSeqNo: number; limit: number };

/** Contiguous by seqNo. */
export type PlacedBatch = {
	log: LogName;
	lines: readonly LogEntry[];
	/** The chain of each stream after its last line in the batch. */
	heads: ReadonlyMap<StreamId, string>;
	rows: RowChanges;
};

/** `added`: lines that were not known before. */
export type Taken = ReplicaEnd & { isGap: boolean; added: readonly LogEntry[] };

export type ReplicaEnd = { lastSeqNo: number; at: LogEnd | null };

/** The tables of one runner, as of its current epoch. */
export type HubRows = {
	/** Newest first. */
	sessions(runner: RunnerId, query: HubSessionsQuery): Promise<Result<SessionRow[]>>;
	session(runner: RunnerId, id: SessionId): Promise<Result<SessionRow | undefined>>;
	/** Oldest first; only pending ones unless `all`. */
	asks(runner: RunnerId, query: { all?: boolean; id?: AskId }): Promise<Result<AskRow[]>>;
	/** Of sessions that have queued prompts, or of one session. */
	queues(runner: RunnerId, id?: SessionId): Promise<Result<PromptQueue[]>>;
	/** Last changed by a batch that ended in this part of the log; nothing of a log that is not the current one. */
	changed(log: LogName, seqNos: { after: number; upTo: number }): Promise<Result<{ asks: AskRow[]; queues: PromptQueue[] }>>;
	usage(runner: RunnerId, days: { since?: string | undefined; until?: string | undefined }): Promise<Result<UsageRow[]>>;
};

export type HubSessionsQuery = {
	projectId?: string | undefined;
	projectPath?: string | undefined;
	status?: string | undefined;
	archived?: boolean | undefined;
	/** Those that are listed after this one. */
	after?: SessionId | undefined;
	limit?: number | undefined;
};

/** The full-text index, filled behind the logs by one caller for each log or by several. */
export type HubWords = {
	/** The seqNo up to which a log is indexed, and its last one; 0 for an unknown log. */
	state(log: LogName): Promise<Result<{ indexed: number; last: number }>>;
	/** The lines that follow the indexed ones, at most `limit` and about a megabyte. */
	next(log: LogName, limit: number): Promise<Result<{ after: number; lines: readonly LogEntry[] }>>;
	/** All of it, or nothing: false where the index does not end at `after`, or the log has ended. Need not be on disk at once. */
	add(log: LogName, slice: IndexedSlice): Promise<Result<boolean>>;
	/** The lines that contain the words, newest first, without those that are not indexed yet. */
	find(log: LogName, query: { words: string; limit: number }): Promise<Result<LogEntry[]>>;
};

export type IndexedText = { seqNo: number; title: string; text: string };

/** Lines without text are only counted. */
export type IndexedSlice = { after: number; upTo: number; texts: readonly IndexedText[] };

export type HubRunner = {
	id: RunnerId;
	name: string;
	publicKey: string;
	/** The user who paired it. */
	owner: string;
	version: string;
	pairedAt: number;
	lastSeenAt: number;
	revokedAt: number | null;
};

/** The end of its current log, if it has one, and the number of its newest connection. */
export type RunnerHead = Pick<HubRunner, 'id' | 'name' | 'version'> & {
	isRevoked: boolean;
	links: number;
	epoch: number | undefined;
	lastSeqNo: number;
};

export type HubRunners = {
	/** By name. */
	list(): Promise<Result<HubRunner[]>>;
	find(id: RunnerId): Promise<Result<HubRunner | undefined>>;
	/** A paired id with another key is a `conflict`, unless it was revoked. */
	pair(runner: Omit<HubRunner, 'lastSeenAt' | 'revokedAt' | 'version'>): Promise<Result<void>>;
	/** At each connection, before it is used. Returns its number: of two connections, the one with the higher number is newer. */
	noteLink(id: RunnerId, seen: { name: string; version: string; at: number }): Promise<Result<number>>;
	/** At its end. */
	noteSeen(id: RunnerId, at: number): Promise<Result<void>>;
	/** Of every runner that was ever paired, also of revoked ones. */
	heads(): Promise<Result<RunnerHead[]>>;
	revoke(id: RunnerId, at: number): Promise<Result<void>>;
};

export type HubCommand = {
	/** Of the command itself; unique. */
	id: string;
	runner: RunnerId;
	call: LinkCall;
	kind: CommandClass;
	state: 'open' | 'done' | 'expired' | 'cancelled';
	createdAt: number;
	expiresAt: number;
	outcome: LinkOutcome | null;
};

/** Commands on their way to a runner: on disk before they are sent. */
export type HubCommands = {
	/** The same id with another call or runner is a `conflict`; with the same ones, also if it is signed again, it returns the stored command. */
	open(command: Omit<HubCommand, 'state' | 'outcome'>): Promise<Result<HubCommand>>;
	/** Open ones of these runners, oldest first. */
	pending(runners: readonly RunnerId[]): Promise<Result<HubCommand[]>>;
	/** Those that exist, in any order. */
	find(ids: readonly string[]): Promise<Result<HubCommand[]>>;
	/** Of all runners. */
	countOpen(): Promise<Result<number>>;
	/** Newest first. */
	list(query: { runner?: RunnerId; limit: number }): Promise<Result<HubCommand[]>>;
	/**
	 * The first outcome stays; a later one, or one of another runner, changes nothing. Also of a command that expired or was cancelled
	 * in the meantime, because the runner may have executed it before. Undefined for a command that this runner does not have.
	 */
	close(runner: RunnerId, id: string, outcome: LinkOutcome): Promise<Result<HubCommand | undefined>>;
	/** False if it is not open any more. */
	cancel(id: string, at: number): Promise<Result<boolean>>;
	/** Returns those that were open and are now expired. */
	expire(now: number): Promise<Result<HubCommand[]>>;
};

/** What a person may be; a set per runner or for all of them, not a ladder. */
export const PERSON_ROLES = ['viewer', 'operator', 'approver', 'admin', 'owner'] as const;
export type PersonRole = (typeof PERSON_ROLES)[number];

/** `runner` null: for all runners. */
export type Grant = { user: string; runner: RunnerId | null; role: PersonRole };

export type HubDevice = Device & { user: string; kind: 'page' | 'program' };

export type Pairing = {
	/** SHA-256 of the code, which is not stored. */
	codeHash: string;
	/** Who is added. */
	user: string;
	/** Given to the user when it is redeemed. */
	grants: readonly Omit<Grant, 'user'>[];
	by: Principal;
	expiresAt: number;
};

export type HubPeople = {
	/** Those that were not revoked, oldest first. */
	devices(): Promise<Result<HubDevice[]>>;
	/** A known key keeps its device, and so its user, until that is revoked; the id of another key is a `conflict`. */
	addDevice(device: HubDevice): Promise<Result<HubDevice>>;
	revokeDevice(id: DeviceId, at: number): Promise<Result<void>>;
	grants(): Promise<Result<Grant[]>>;
	/** Instead of those that the user had. */
	setGrants(user: string, grants: readonly Omit<Grant, 'user'>[]): Promise<Result<void>>;
	/** A code that was already stored is a `conflict`. */
	addPairing(pairing: Pairing): Promise<Result<void>>;
	/** Once, and adds its grants; undefined for an unknown, used or expired code. */
	redeem(codeHash: string, now: number): Promise<Result<Pairing | undefined>>;
	/** No code that was stored before can be redeemed. */
	voidPairings(at: number): Promise<Result<void>>;
};

export type AuditEntry = { n: number; at: number; who: string; what: string; hash: string };

/** One hash chain over everything that people changed on the hub. */
export type HubAudit = {
	append(entry: { at: number; who: string; what: string }): Promise<Result<AuditEntry>>;
	/** Oldest first. */
	list(query: { after: number; limit: number }): Promise<Result<AuditEntry[]>>;
	/** One sentence for each problem; empty if the chain is intact. */
	verify(): Promise<Result<string[]>>;
};
