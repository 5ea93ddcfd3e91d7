// The verdict of a guard on one call of an agent: the table first, then shell lines part by part, then where files are.
import { isAbsolute } from 'node:path';
import { judgeLine } from '@roost/core/guards/judge-line';
import type { GuardedCall, GuardVerdict, HooksDef } from '../types.ts';
import { whyNotPath } from './bound-path.ts';
import { INTERACTIVE_TOOLS, NATIVE_TEAM_TOOLS, PATH_FIELDS, READING_TOOLS, rightsOf, SHELL_TOOLS, WRITE_TOOLS } from './table.ts';

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

/** Every tool that names a file in a field for files it changes is kept inside; tools that only read may look anywhere. */
async function judgeWriter(def: HooksDef, { tool, input, cwd }: GuardedCall): Promise<GuardVerdict> {
	if (READING_TOOLS.has(tool) || isRemote(tool)) return { allowed: true };
	const paths = PATH_FIELDS.flatMap((field) => (Object.hasOwn(input, field) ? [input[field]] : []));
	if (WRITE_TOOLS.has(tool) && paths.length === 0) return refuse('the call does not say which file it changes');
	for (const path of paths) {
		if (typeof path !== 'string' || path === '') return refuse('the call does not say which file it changes');
		const why = await whyNotPath(def.worktreePath, cwd, { path, glob: false });
		if (why !== null) return refuse(why);
	}
	return { allowed: true };
}

function isRemote(tool: string): boolean {
	return tool.startsWith('mcp__');
}

function refuse(why: string): GuardVerdict {
	return { allowed: false, reason: `Roost's guard refused this: ${why.replace(/\.$/, '')}.` };
}
