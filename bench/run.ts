// Runs the benchmarks and prints one line of JSON per row, then a table. Each row is a ratio to a floor of the same run.
import { parseArgs } from 'node:util';
import type { BenchRow } from './bench-row.ts';

const BENCHES: Record<string, () => Promise<{ run: () => Promise<BenchRow[]> }>> = {
	'start-up': () => import('./start-up.ts'),
	'hook-round-trip': () => import('./hook-round-trip.ts'),
	'hooks-at-once': () => import('./hooks-at-once.ts'),
	'durable-append': () => import('./durable-append.ts'),
	'feed-mapping': () => import('./feed-mapping.ts'),
	redaction: () => import('./redaction.ts'),
	'guard-verdicts': () => import('./guard-verdicts.ts'),
	'log-read': () => import('./log-read.ts'),
	'session-reads': () => import('./session-reads.ts'),
	'fan-out': () => import('./fan-out.ts'),
	undecided: () => import('./undecided.ts'),
	'hook-to-subscriber': () => import('./hook-to-subscriber.ts'),
	'driven-flood': () => import('./driven-flood.ts'),
	'hook-flood': () => import('./hook-flood.ts'),
	memory: () => import('./memory.ts'),
	'terminal-relay': () => import('./terminal-relay.ts'),
	'terminal-keys': () => import('./terminal-keys.ts'),
	'web-terminal': () => import('./web-terminal.ts'),
	'sdk-session': () => import('./sdk-session.ts'),
	'codex-calls': async () => ({ run: (await import('./agent-calls.ts')).runCodex }),
	'pi-calls': async () => ({ run: (await import('./agent-calls.ts')).runPi }),
	'copilot-calls': async () => ({ run: (await import('./agent-calls.ts')).runCopilot }),
	'acp-calls': async () => ({ run: (await import('./agent-calls.ts')).runAcp }),
	'project-scan': () => import('./project-scan.ts'),
	'tui-update': () => import('./tui-update.ts'),
	'tui-process': () => import('./tui-process.ts'),
	web: () => import('./web.ts'),
	'hub-ingest': () => import('./hub-ingest.ts'),
	'hub-nodes': () => import('./hub-nodes.ts'),
	'hub-load': () => import('./hub-load.ts'),
	'hub-sockets': () => import('./hub-sockets.ts'),
	hub: () => import('./hub.ts'),
};

const { positionals } = parseArgs({ allowPositionals: true });
/** `hub` is all of the hub's. */
const chosen = positionals.length > 0 ? positionals : Object.keys(BENCHES).filter((name) => name !== 'hub');
const rows: BenchRow[] = [];
for (const name of chosen) {
	const load = BENCHES[name];
	if (!load) throw new Error(`Benchmark "${name}" not found. Choose one of ${Object.keys(BENCHES).join(', ')}.`);
	for (const row of await (await load()).run()) {
		rows.push(row);
		process.stdout.write(`${JSON.stringify(row)}\n`);
	}
}
process.stdout.write(`\n${toMarkdown(rows)}\n`);
if (rows.some((row) => !row.met)) process.exitCode = 1;

function toMarkdown(all: readonly BenchRow[]): string {
	const lines = all.map((row) =>
		[
			row.bar,
			`${round(row.value)} ${row.unit}`,
			`${row.floor}: ${round(row.floorValue)} ${row.unit}`,
			`${round(row.ratio)}x${row.added === undefined ? '' : `, ${round(row.added)} ${row.unit} added`}`,
			row.target,
			row.met ? '✓' : '✗',
		].join(' | '),
	);
	return [
		'| benchmark | value | floor | ratio | target | met |',
		'|---|---|---|---|---|---|',
		...lines.map((line) => `| ${line} |`),
	].join('\n');
}

function round(value: number): string {
	return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
