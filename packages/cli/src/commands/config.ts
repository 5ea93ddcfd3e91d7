// roost config: the configuration as it applies now, and where each value comes from.
import { unwrap } from '../output/exit.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';

export async function config(options: { json?: boolean; port?: string; enforce?: boolean }): Promise<void> {
	const { readEffectiveConfig } = await import('@roost/home/config/effective-config');
	const { port, enforce } = options;
	const effective = unwrap(readEffectiveConfig({ env: process.env, flags: { port, enforce } }));
	const { file, settings } = effective;
	const rows = settings.map(({ key, value, from }) => [key, toText(value), from ?? 'default']);
	await print(options, effective, [
		`Configuration file: ${file.path}${file.exists ? '' : ' (not found)'}`,
		'',
		toTable(['KEY', 'VALUE', 'SOURCE'], rows),
	]);
}

function toText(value: unknown): string {
	if (value === null) return '-';
	return typeof value === 'string' ? value : JSON.stringify(value);
}
