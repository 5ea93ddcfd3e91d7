// The current activity of an agent, from its own files and its screen.
import type { RuntimeEvent } from '@roost/core/runtime/event';
import type { AgentStatus } from '@roost/protocol/api/agent-status';

export type StatusSource = {
	folder(env: NodeJS.ProcessEnv): string;
	/** The status in the file of one of these conversations; null without a live process. */
	findFile(folder: string, nativeIds: readonly string[]): Promise<StatusEvidence | null>;
	findOpen(folder: string, nativeId: string): Promise<number[]>;
	readScreen(lines: readonly string[]): Omit<StatusEvidence, 'at' | 'status'> & Pick<AgentStatus, 'status'>;
	foldReport(before: StatusEvidence | null, event: RuntimeEvent): StatusEvidence | null;
	/** The status while a hook of it waits for Roost. */
	whileAsked(event: RuntimeEvent): StatusEvidence;
	/** Selects the source that counts. */
	weigh(sources: StatusSources, now: number): AgentStatus;
};

export type AgentActivity = Exclude<AgentStatus['status'], 'unknown'>;

export type StatusEvidence = { status: AgentActivity; waitingFor?: string | undefined; at: number };

export type StatusSources = {
	file?: StatusEvidence | null;
	hooks?: StatusEvidence | null;
	screen?: StatusEvidence | null;
};
