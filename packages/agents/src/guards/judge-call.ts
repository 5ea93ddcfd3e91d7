// The verdict of a guard on one call of an agent: the table first, then shell lines part by part, then where files are.

import { isAbsolute } from 'node:path';
import { toSentence } from '@roost/core/display/sentence';
import { judgeLine } from '@roost/core/guards/judge-line';
import type { GuardedCall, GuardVerdict, HooksDef } from '../base/types.ts';
import { whyNotPath } from './bound-path.ts';
import {
	COMMAND_LIKE,
	INTERACTIVE_TOOLS,
	NATIVE_TEAM_TOOLS,
	PATH_FIELDS,
	PATH_LIKE,
	READING_TOOLS,
	rightsOf,
	SHELL_TOOLS,
	UNREAD_SHELL_TOOLS,
	WRITE_TOOLS,
} from './table.ts';

/** Never throws: what cannot be judged is refused. */
export async function judgeCall(def: HooksDef, call: GuardedCall): Promise<GuardVerdict> {
	try {
		return await judge(def, call);
	} catch (cause) {
		return refuse(`the call could not be judged (${cause instanceof Error ? cause.message : String(cause)})`);
	}
}

async function judge(def: HooksDef, call: GuardedCall): Promise<GuardVerdict> {
	const { tool } = call;
	if (NATIVE_TEAM_TOOLS.has(tool))
		return refuse(`${tool} hands work to agents that nobody guards: do it yourself, or say what is needed in your report`);
	if (INTERACTIVE_TOOLS.has(tool))
		return refuse(`${tool} needs a person in front of you, and there is none: decide yourself, and say so in your report`);
	if (UNREAD_SHELL_TOOLS.has(tool))
		return refuse(`${tool} reaches a shell in a way that cannot be judged: write the whole line, and run it with bash`);
	if (!isAbsolute(def.worktreePath)) return refuse('its definition names no worktree');
	if (SHELL_TOOLS.has(tool)) return await judgeShell(def, call);
	if (!rightsOf(def.capability).writes) return judgeReader(def, tool);
	return await judgeWriter(def, call);
}

async function judgeShell(def: HooksDef, { input, cwd }: GuardedCall): Promise<GuardVerdict> {
	const { command } = input;
	if (typeof command !== 'string') return refuse('the command is no text');
	const verdict = judgeLine(command, {
		writes: rightsOf(def.capability).writes,
		agentName: def.agentName,
		worktreePath: def.worktreePath,
		gates: (def.qualityGates ?? []).map((gate) => gate.command),
	});
	if (!verdict.allowed) return verdict;
	for (const path of verdict.paths) {
		const why = await whyNotPath(def.worktreePath, cwd, path);
		if (why !== null) return refuse(why);
	}
	return { allowed: true };
}

function judgeReader({ capability }: HooksDef, tool: string): GuardVerdict {
	if (READING_TOOLS.has(tool)) return { allowed: true };
	if (WRITE_TOOLS.has(tool)) return refuse(`as ${capability} you may read, not change anything: put it in your report`);
	return refuse(`${tool} is not on the list of tools that only read`);
}

/** What it changes is kept inside; tools that only read may look anywhere. */
async function judgeWriter(def: HooksDef, call: GuardedCall): Promise<GuardVerdict> {
	const { tool, input, cwd } = call;
	if (READING_TOOLS.has(tool)) return { allowed: true };
	// Where a server works is not known here; if it takes a line for a shell, that may be this machine's.
	if (tool.startsWith('mcp__')) return Object.hasOwn(input, 'command') ? await judgeShell(def, call) : { allowed: true };
	if (!WRITE_TOOLS.has(tool)) return await judgeUnknown(def, call);
	const paths = PATH_FIELDS.flatMap((field) => (Object.hasOwn(input, field) ? [input[field]] : []));
	return paths.length === 0 ? refuse(NO_FILE) : await judgePaths(def, cwd, paths);
}

/** Nobody knows what it does; but what it would run or change is in what it is given. */
async function judgeUnknown(def: HooksDef, { tool, input, cwd }: GuardedCall): Promise<GuardVerdict> {
	const given = Object.entries(input).filter(
		([, value]) => typeof value === 'string' || (typeof value === 'object' && value !== null),
	);
	const command = given.find(([field]) => COMMAND_LIKE.test(field));
	if (command !== undefined)
		return refuse(`${tool} may run what is in its ${command[0]}: run commands with bash, where they can be judged`);
	return await judgePaths(
		def,
		cwd,
		given.flatMap(([field, value]) => (PATH_LIKE.test(field) ? value : [])),
	);
}

async function judgePaths({ worktreePath }: HooksDef, cwd: string, paths: readonly unknown[]): Promise<GuardVerdict> {
	for (const path of paths) {
		if (typeof path !== 'string' || path === '') return refuse(NO_FILE);
		const why = await whyNotPath(worktreePath, cwd, { path, glob: false });
		if (why !== null) return refuse(why);
	}
	return { allowed: true };
}

const NO_FILE = 'the call does not say which file it changes';

function refuse(why: string): GuardVerdict {
	return { allowed: false, reason: toSentence(`Roost's guard refused this: ${why}`) };
}
