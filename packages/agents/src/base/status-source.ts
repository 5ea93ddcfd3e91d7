// What an agent tells of what it is doing right now, beside its reports: in files of its own, and on its screen.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { AgentStatus } from '@roost/protocol/api/agent-status';

export type StatusSource = {
	/** Where one with this environment keeps its files. */
	folder(env: NodeJS.ProcessEnv): string;
	/** What its file says of one of these conversations; null where no living agent names one. */
	findFile(folder: string, nativeIds: readonly string[]): Promise<StatusEvidence | null>;
	/** The processes that have a conversation open. */
	findOpen(folder: string, nativeId: string): Promise<number[]>;
	readScreen(lines: readonly string[]): Omit<StatusEvidence, 'at' | 'status'> & Pick<AgentStatus, 'status'>;
	/** What it said before, and what one more report says. */
	foldReport(before: StatusEvidence | null, event: RuntimeEvent): StatusEvidence | null;
	/** What it does while it waits to hear what Roost says. */
	whileAsked(event: RuntimeEvent): StatusEvidence;
	/** Which of them counts. */
	weigh(sources: StatusSources, now: number): AgentStatus;
};

export type AgentActivity = Exclude<AgentStatus['status'], 'unknown'>;

/** What one source said, and when. */
export type StatusEvidence = { status: AgentActivity; waitingFor?: string | undefined; at: number };

/** Null or absent where a source says nothing. */
export type StatusSources = {
	file?: StatusEvidence | null;
	hooks?: StatusEvidence | null;
	screen?: StatusEvidence | null;
};
