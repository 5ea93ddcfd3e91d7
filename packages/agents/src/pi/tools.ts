// Pi's tools in the normal form and back, so that the judged call is what runs.
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ToolInput } from '@roost/protocol/feed/base';
import { z } from 'zod';
import type { GuardWire } from '../base/types.ts';

type NativeCall = { name: string; input: ToolInput };
type NormalCall = { tool_name: string; tool_input: ToolInput };

type Tool = {
	normal: string;
	toNormal(input: ToolInput, place: Place): ToolInput;
	/** Null for an invalid input: Pi does not validate it again. */
	toNative(input: ToolInput, place: Place): ToolInput | null;
};

/** For relative paths and `~`. */
export type Place = { cwd: string; home?: string | undefined };

export function toNormalCall({ name, input }: NativeCall, place: Place): NormalCall {
	const tool = TOOLS.get(name);
	return tool ? { tool_name: tool.normal, tool_input: tool.toNormal(input, place) } : { tool_name: name, tool_input: input };
}

/** Null for an invalid input. */
export function toNativeInput(name: string, input: ToolInput, place: Place): ToolInput | null {
	const tool = TOOLS.get(name);
	return tool ? tool.toNative(input, place) : input;
}

export function toNativeNames(normal: readonly string[]): string[] {
	const builtIn = [...TOOLS].filter(([, tool]) => normal.includes(tool.normal)).map(([name]) => name);
	const known = new Set([...TOOLS.values()].map((tool) => tool.normal));
	return [...builtIn, ...normal.filter((name) => !known.has(name))];
}

const seconds = z.number().positive();
const nativeEdits = z.array(z.object({ oldText: z.string(), newText: z.string() })).min(1);
const oneEdit = z.object({ file_path: z.string(), old_string: z.string(), new_string: z.string() });
const manyEdits = z.object({
	file_path: z.string(),
	edits: z.array(z.object({ old_string: z.string(), new_string: z.string() })).min(1),
});
const bashInput = z.object({ command: z.string(), timeout: seconds.optional() });
const writeInput = z.object({ file_path: z.string(), content: z.string() });
const filePath = z.looseObject({ file_path: z.string() });

const TOOLS: ReadonlyMap<string, Tool> = new Map<string, Tool>([
	['bash', shellTool('Bash')],
	['powershell', shellTool('PowerShell')],
	[
		'write',
		{
			normal: 'Write',
			toNormal: pathToFilePath,
			toNative: (input, place) => (writeInput.safeParse(input).success ? filePathToPath(input, place) : null),
		},
	],
	['edit', { normal: 'Edit', toNormal: editToNormal, toNative: editToNative }],
	[
		'read',
		{
			normal: 'Read',
			toNormal: pathToFilePath,
			toNative: (input, place) => (filePath.safeParse(input).success ? filePathToPath(input, place) : null),
		},
	],
	['grep', searchTool('Grep')],
	['find', searchTool('Glob')],
	['ls', searchTool('LS')],
]);

function shellTool(normal: string): Tool {
	return {
		normal,
		// Seconds in Pi, milliseconds in the normal form.
		toNormal: (input) => scaleTimeout(input, 1000),
		toNative(input) {
			const parsed = bashInput.safeParse(input);
			return parsed.success ? scaleTimeout(parsed.data, 0.001) : null;
		},
	};
}

function scaleTimeout(input: ToolInput, factor: number): ToolInput {
	return typeof input.timeout === 'number' ? { ...input, timeout: input.timeout * factor } : input;
}

function pathToFilePath({ path, ...rest }: ToolInput, place: Place): ToolInput {
	return typeof path === 'string' ? { file_path: effectivePath(path, place), ...rest } : { path, ...rest };
}

function filePathToPath({ file_path, ...rest }: ToolInput, place: Place): ToolInput | null {
	return typeof file_path === 'string' ? { path: effectivePath(file_path, place), ...rest } : null;
}

function editToNormal(input: ToolInput, place: Place): ToolInput {
	const { edits, ...rest } = pathToFilePath(input, place);
	const parsed = nativeEdits.safeParse(edits);
	if (!parsed.success) return { ...rest, ...(edits === undefined ? {} : { edits }) };
	const changed = parsed.data.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }));
	return changed.length === 1 ? { ...rest, ...changed[0] } : { ...rest, edits: changed };
}

function editToNative(input: ToolInput, place: Place): ToolInput | null {
	const many = manyEdits.safeParse(input);
	const one = oneEdit.safeParse(input);
	const edits = many.success ? many.data.edits : one.success ? [one.data] : null;
	if (edits === null) return null;
	const changed = edits.map(({ old_string, new_string }) => ({ oldText: old_string, newText: new_string }));
	return filePathToPath({ file_path: input.file_path, edits: changed }, place);
}

/** Only the path differs. */
function searchTool(normal: string): Tool {
	const plain = (input: ToolInput, place: Place) =>
		typeof input.path === 'string' ? { ...input, path: effectivePath(input.path, place) } : input;
	return { normal, toNormal: plain, toNative: plain };
}

const UNICODE_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/** Resolved like Pi does: it accepts `@x`, `~/x` and `file:` URLs. */
function effectivePath(path: string, { cwd, home = homedir() }: Place): string {
	const plain = path.replace(UNICODE_SPACES, ' ').replace(/^@/, '');
	if (plain === '~' || plain.startsWith('~/')) return resolve(home, `.${plain.slice(1)}`);
	if (!plain.startsWith('file://')) return resolve(cwd, plain);
	try {
		return fileURLToPath(plain);
	} catch {
		// Pi fails for such a URL too.
		return resolve(cwd, plain);
	}
}

const asked = z.object({ toolName: z.string(), input: z.record(z.string(), z.unknown()), cwd: z.string() });

const DENIED = 2;

export const piGuardWire: GuardWire = {
	readCall(payload) {
		const parsed = asked.safeParse(payload);
		if (!parsed.success) return null;
		const { toolName: name, input, cwd } = parsed.data;
		const { tool_name: tool, tool_input } = toNormalCall({ name, input }, { cwd });
		return { tool, input: tool_input, cwd };
	},
	say: (verdict) => ({ stdout: JSON.stringify(verdict), exitCode: verdict.allowed ? 0 : DENIED }),
};
