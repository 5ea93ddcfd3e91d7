// One real agent against a scripted model, in a shape that is the same for all agents: what is asked of every agent is written once.
import type { DrivableAgent } from '@roost/core/runtime/connection';
import type { Block } from '../../fakes/model-reply.ts';
import type { ModelRequest } from '../../fakes/model-request.ts';
import type { Script } from '../../fakes/script.ts';

export type AgentRig = AsyncDisposable & {
	readonly agent: DrivableAgent;
	/** A git repository with one commit. */
	readonly project: string;
	/** The home of the agent's user, empty but for what the agent must find there. */
	readonly home: string;
	/** The whole environment the agent is started with. */
	readonly env: Readonly<Record<string, string>>;
	/** Every call to the model so far. */
	readonly requests: readonly ModelRequest[];
};

/** How a model asks this agent for things, in the agent's own tools. */
export type AgentWords = {
	/** Runs a shell command. */
	shell(command: string): Block;
	/** Makes a file, whose path is relative to the project. */
	write(path: string, text: string): Block;
	/** Reads a file. */
	read(path: string): Block;
	/** Asks the user a question with these choices; null where the agent has no such tool. */
	question(question: string, choices: readonly string[]): Block | null;
};

export type AgentRigOptions = {
	script: Script;
	env?: Readonly<Record<string, string>>;
	/** Started in place of the agent's own program, with the same arguments. */
	program?: string;
};

/** What each agent's rig exports, under its own name: `openCodexRig`, `codexWords`. */
export type OpenAgentRig = (options: AgentRigOptions) => Promise<AgentRig>;
