// roost config: the configuration as it applies now, and where each value comes from.

import { fail } from '../output/exit.ts';
import { say } from '../output/say.ts';
import { toTable } from '../output/table.ts';

export async function config(options: { json?: boolean; port?: string; enforce?: boolean }): Promise<void> {
	const { readEffectiveConfig } = await import('@roost/home/config/effective-config');
	const { port, enforce } = options;
	const effective = readEffectiveConfig({ env: process.env, flags: { port, enforce } });
	if (!effective.ok) return fail(effective.error, options);
	const { file, settings } = effective.value;
	const rows = settings.map(({ key, value, from }) => [key, toText(value), from ?? 'default']);
	say(options, effective.value, [
		`Configuration file: ${file.path}${file.exists ? '' : ' (not found)'}`,
		'',
		toTable(['KEY', 'VALUE', 'SOURCE'], rows),
	]);
}

function toText(value: unknown): string {
	if (value === null) return '-';
	return typeof value === 'string' ? value : JSON.stringify(value);
}
