// The verdict of a guard on one call: by tool, by the parts of a shell line, and by paths.

import { readdir } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { toSentence } from '@roost/core/display/sentence';
import { judgeLine } from '@roost/core/guards/judge-line';
import type { BoundPath } from '@roost/core/guards/judge-writing';
import { wayInside } from '../base/is-inside.ts';
import type { GuardedCall, GuardVerdict, HooksDef } from '../base/types.ts';
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

/** Never throws: an unjudgeable call is denied. */
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
		return refuse(`${tool} starts agents without a guard: do it yourself, or say what is needed in your report`);
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
		const why = await refusePath(def.worktreePath, cwd, path);
		if (why !== null) return refuse(why);
	}
	return { allowed: true };
}

function judgeReader({ capability }: HooksDef, tool: string): GuardVerdict {
	if (READING_TOOLS.has(tool)) return { allowed: true };
	if (WRITE_TOOLS.has(tool)) return refuse(`as ${capability} you may read, not change anything: put it in your report`);
	return refuse(`${tool} is not on the list of tools that only read`);
}

/** Writes stay inside the worktree; reading is allowed anywhere. */
async function judgeWriter(def: HooksDef, call: GuardedCall): Promise<GuardVerdict> {
	const { tool, input, cwd } = call;
	if (READING_TOOLS.has(tool)) return { allowed: true };
	// A server's shell command may run on this machine.
	if (tool.startsWith('mcp__')) return Object.hasOwn(input, 'command') ? await judgeShell(def, call) : { allowed: true };
	if (!WRITE_TOOLS.has(tool)) return await judgeUnknown(def, call);
	const paths = PATH_FIELDS.flatMap((field) => (Object.hasOwn(input, field) ? [input[field]] : []));
	return paths.length === 0 ? refuse(NO_FILE) : await judgePaths(def, cwd, paths);
}

/** An unknown tool is judged by its input. */
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
		const why = await refusePath(worktreePath, cwd, { path, glob: false });
		if (why !== null) return refuse(why);
	}
	return { allowed: true };
}

const NO_FILE = 'the call does not say which file it changes';

function refuse(why: string): GuardVerdict {
	return { allowed: false, reason: toSentence(`Roost's guard refused this: ${why}`) };
}

/** Null where the path may be changed. Relative paths start at `cwd`. */
async function refusePath(worktreePath: string, cwd: string, bound: BoundPath): Promise<string | null> {
	if (bound.path.startsWith('~')) return outside(bound.path, worktreePath);
	const path = isAbsolute(bound.path) ? bound.path : `${cwd}${sep}${bound.path}`;
	const paths = bound.glob ? await expand(path) : [path];
	if (paths === null) return `"${bound.path}" stands for too many files: name them, or their folder`;
	for (const each of paths) {
		const way = await wayInside(worktreePath, each);
		if (way === null) return outside(bound.path, worktreePath);
		if (isGits(way)) return `"${bound.path}" belongs to git: change it through git commands`;
	}
	return null;
}

function outside(path: string, worktreePath: string): string {
	return `"${path}" is outside your worktree (as is the folder for temporary files). Use a path inside ${worktreePath}`;
}

function isGits(way: string): boolean {
	return way.split(sep).some((name) => name.toLowerCase() === '.git');
}

const MAX_MATCHES = 5_000;

/** All matches plus the pattern itself, which a shell keeps without a match. Null for too many. */
async function expand(pattern: string): Promise<string[] | null> {
	const names = pattern.split(sep);
	const first = names.findIndex((name) => /[*?[]/.test(name));
	if (first < 0) return [pattern];
	let found = [names.slice(0, first).join(sep) || sep];
	for (const name of names.slice(first)) {
		const next: string[] = [];
		for (const folder of found) {
			if (/[*?[]/.test(name)) next.push(...(await matches(folder, name)));
			// Not joined: that would drop a name before `..`, whatever it links to.
			else next.push(`${folder}${sep}${name}`);
			if (next.length > MAX_MATCHES) return null;
		}
		found = next;
	}
	return [...found, pattern];
}

async function matches(folder: string, pattern: string): Promise<string[]> {
	const entries = await readdir(folder).catch((): string[] => []);
	return entries
		.filter((name) => matchesName(pattern, name) && (pattern.startsWith('.') || !name.startsWith('.')))
		.map((name) => join(folder, name));
}

/** Brackets match anything, so never too little. Backtracks only to the last star: quadratic at most. */
export function matchesName(pattern: string, name: string): boolean {
	if (pattern.includes('[')) return true;
	let at = 0;
	let star = -1;
	let reached = 0;
	for (let char = 0; char < name.length; char++) {
		if (pattern[at] === '*') {
			star = at++;
			reached = char--;
		} else if (pattern[at] === '?' || pattern[at] === name[char]) at++;
		else if (star < 0) return false;
		else {
			at = star + 1;
			char = reached++;
		}
	}
	return /^\**$/.test(pattern.slice(at));
}
