// What a driven agent takes. Nothing here throws or fails: what went wrong is the next event of the agent's runtime.
import type { PromptId } from '@roost/protocol/ids';
import type { Result } from '@roost/protocol/result';
import type { GateMode } from './gate-mode.ts';
import type { Runtime, RuntimeCapabilities } from './runtime.ts';

export type Connection = {
	/** The first prompt. Resolves when the agent has it, not when it is done. */
	sendPrompt(prompt: OutgoingPrompt): Promise<void>;
	/** A later prompt; an agent that is still at work takes it when it is done. */
	followUp(prompt: OutgoingPrompt): Promise<void>;
	/** Ends the run that is under way as aborted; the agent stays. */
	abort(): Promise<void>;
	getState(): Promise<ConnectionState>;
	/** The models that the agent itself says it has, once it is ready; null where it does not tell. */
	models(): Promise<ModelChoice | null>;
	control(command: ControlCommand): Promise<void>;
	/** Ends the agent, and the session with it. */
	close(): void;
};

/** Its id comes back in the agent's word that it has it (`sent_as` of UserPromptSubmit): so a prompt is known to have arrived, once. */
export type OutgoingPrompt = { id: PromptId; text: string };

/** `has`: whether it takes that one; it may take more than it names. */
export type ModelChoice = { readonly names: readonly string[]; has(name: string): boolean };

export type ConnectionState = {
	status: 'idle' | 'working' | 'error';
	/** What it runs right now. */
	currentTool?: string;
};

export type ControlCommand =
	| { type: 'model'; model: string }
	| { type: 'permission-mode'; mode: string }
	/** A prompt for the run that is under way; an agent that cannot take it there takes it as a follow-up. */
	| { type: 'steer'; prompt: OutgoingPrompt };

/** An agent that Roost started: what it reports, and what it takes. Its runtime is stopped once it has ended, however that came. */
export type DrivenAgent = { readonly runtime: Runtime; readonly connection: Connection };

/** One kind of agent that can be driven. */
export type DrivableAgent = {
	readonly capabilities: RuntimeCapabilities;
	/** Why it does not start like this, as a sentence that says what to do; null where it does. */
	refuse(request: DrivenRequest): string | null;
	/** Nothing happens before its runtime is started. */
	open(request: DrivenRequest): DrivenAgent;
	/** Whether the agent's own conversation holds a prompt that was once sent to it; asked while no agent has it open. */
	hasPrompt(question: { nativeId: string; cwd: string; prompt: PromptId }): Promise<Result<boolean>>;
};

export type DrivenRequest = {
	/** Roost's id of the session: whatever runs inside can be told by it. */
	session?: string | undefined;
	cwd: string;
	gate: GateMode;
	model?: string | undefined;
	permissionMode?: string | undefined;
	/** The tools it may use; all of them where none are named. */
	allowedTools?: readonly string[] | undefined;
	/** Model calls per prompt, for an agent that can limit them. */
	maxTurns?: number | undefined;
	/** Goes on with an earlier conversation, or with a copy of it. */
	resume?: ResumeRequest | undefined;
	/** Told of each process that the agent is started as, so that none outlives a runner that was killed. */
	onSpawned?: ((pid: number) => void) | undefined;
};

/** `upTo`: a fork ends with that message of the agent's conversation instead of the last one. */
export type ResumeRequest = {
	nativeId: string;
	fork: boolean;
	upTo?: string | undefined;
	/** Roost has nothing of it on record: what it used so far is not the session's. */
	unrecorded?: boolean | undefined;
	/** Nothing was answered in it so far: where its agent does not know it, it begins again, as it began. */
	ifMissing?: { copyOf?: { nativeId: string; upTo?: string | undefined } | undefined } | undefined;
};
