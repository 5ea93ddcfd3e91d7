// The commands a driven agent takes. Nothing here throws: a failure is the next event of the agent's runtime.
import type { PromptId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { GateMode } from './gate-mode.ts';
import type { Runtime, RuntimeCapabilities } from './runtime.ts';

export type Connection = {
	/** The first prompt. Resolves when the agent has it, not when it is done. */
	sendPrompt(prompt: OutgoingPrompt): Promise<void>;
	/** A later prompt; a busy agent takes it when its run is done. */
	followUp(prompt: OutgoingPrompt): Promise<void>;
	/** Aborts the current run; the agent keeps running. */
	abort(): Promise<void>;
	getState(): Promise<ConnectionState>;
	/** The models the agent offers, once it is ready; null where it does not report them. */
	models(): Promise<ModelChoice | null>;
	control(command: ControlCommand): Promise<void>;
	/** Ends the agent, and the session with it. */
	close(): void;
};

/** The agent's confirmation has its id (`sent_as` of UserPromptSubmit), so that each prompt is confirmed once. */
export type OutgoingPrompt = { id: PromptId; text: string };

/** `has`: whether the agent takes that model; it may take more than it names. */
export type ModelChoice = { readonly names: readonly string[]; has(name: string): boolean };

export type ConnectionState = {
	status: 'idle' | 'working' | 'error';
	/** The tool that runs now. */
	currentTool?: string;
};

export type ControlCommand =
	| { type: 'model'; model: string }
	| { type: 'permission-mode'; mode: string }
	/** A prompt for the current run; an agent that cannot take it there takes it as a follow-up. */
	| { type: 'steer'; prompt: OutgoingPrompt };

/** An agent that Roost started: its reports and its commands. The runtime is stopped when the agent exits for any reason. */
export type DrivenAgent = { readonly runtime: Runtime; readonly connection: Connection };

/** One kind of agent that can be driven. */
export type DrivableAgent = {
	readonly capabilities: RuntimeCapabilities;
	/** Why it cannot start like this, as an error message; null where it can. */
	refuse(request: DrivenRequest): string | null;
	/** Nothing happens before its runtime is started. */
	open(request: DrivenRequest): DrivenAgent;
	/** Whether the agent's own conversation holds a sent prompt; called while no agent has the conversation open. */
	hasPrompt(question: { nativeId: string; cwd: string; prompt: PromptId }): Promise<Result<boolean>>;
};

export type DrivenRequest = {
	/** Roost's id of the session; processes inside it are recognised by it. */
	session?: string | undefined;
	cwd: string;
	gate: GateMode;
	model?: string | undefined;
	permissionMode?: string | undefined;
	/** The tools it may use; all if undefined. */
	allowedTools?: readonly string[] | undefined;
	/** Model calls per prompt, for an agent that can limit them. */
	maxTurns?: number | undefined;
	/** Resumes an earlier conversation, or a copy of it. */
	resume?: ResumeRequest | undefined;
	/** Called with each process of the agent, so that none outlives a runner that was killed. */
	onSpawned?: ((pid: number) => void) | undefined;
};

/** `upTo`: a fork ends with that message of the agent's conversation instead of the last one. */
export type ResumeRequest = {
	nativeId: string;
	fork: boolean;
	upTo?: string | undefined;
	/** The conversation is not on record in Roost: its usage so far is not the session's. */
	unrecorded?: boolean | undefined;
	/** It has no response yet: if the agent does not know the conversation, it is started again in the same way. */
	ifMissing?: { copyOf?: { nativeId: string; upTo?: string | undefined } | undefined } | undefined;
};
