// What a driven agent takes. Nothing here throws or fails: what went wrong is the next event of the agent's runtime.
import type { GateMode } from './gate-mode.ts';
import type { Runtime, RuntimeCapabilities } from './runtime.ts';

export type Connection = {
	/** The first prompt. Resolves when the agent has it, not when it is done. */
	sendPrompt(text: string): Promise<void>;
	/** A later prompt; an agent that is still at work takes it when it is done. */
	followUp(text: string): Promise<void>;
	/** Ends the run that is under way as aborted; the agent stays. */
	abort(): Promise<void>;
	getState(): Promise<ConnectionState>;
	control(command: ControlCommand): Promise<void>;
	/** Ends the agent, and the session with it. */
	close(): void;
};

export type ConnectionState = {
	status: 'idle' | 'working' | 'error';
	/** What it runs right now. */
	currentTool?: string;
};

export type ControlCommand = { type: 'model'; model: string } | { type: 'permission-mode'; mode: string };

/** An agent that Roost started: what it reports, and what it takes. Its runtime is stopped once it has ended, however that came. */
export type DrivenAgent = { readonly runtime: Runtime; readonly connection: Connection };

/** One kind of agent that can be driven. */
export type DrivableAgent = {
	readonly capabilities: RuntimeCapabilities;
	/** Nothing happens before its runtime is started. */
	open(request: DrivenRequest): DrivenAgent;
};

export type DrivenRequest = {
	cwd: string;
	gate: GateMode;
	model?: string | undefined;
	permissionMode?: string | undefined;
	/** Goes on with an earlier conversation, or with a copy of it. */
	resume?: { nativeId: string; fork: boolean } | undefined;
};
