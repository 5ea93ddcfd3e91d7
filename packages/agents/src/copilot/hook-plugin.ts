// A plugin with hooks only. With `--plugin-dir` it runs in every mode and folder; files of the user and the project stay unchanged.
import { type Program, toPinnedArgv } from '@roost/core/process/loader-variables';
import { writePrivateFile } from '@roost/machine/private-file';
import { ok, type Result } from '@roost/protocol/result';
import { quoteArgv } from '../base/shell-quote.ts';

/** Copilot continues when a hook times out. */
export type PluginHook = { program: Program; timeoutSec: number };

export type HookPlugin = { argv: readonly string[]; files: readonly string[] };

/** By Copilot's event names. */
export function writeHookPlugin(dir: string, hooks: Readonly<Record<string, PluginHook>>): Result<HookPlugin> {
	const entries = Object.entries(hooks).map(([event, { program, timeoutSec }]) => [
		event,
		[{ type: 'command', bash: quoteArgv(toPinnedArgv(program)), timeoutSec }],
	]);
	const manifest = { name: 'roost', version: '1.0.0', description: 'Asks Roost before each call', hooks: 'hooks.json' };
	const written = writePrivateFile(dir, { version: 1, hooks: Object.fromEntries(entries) }, 'hooks.json');
	if (!written.ok) return written;
	const described = writePrivateFile(dir, manifest, 'plugin.json');
	if (!described.ok) return described;
	return ok({ argv: [`--plugin-dir=${dir}`], files: [written.value, described.value] });
}
