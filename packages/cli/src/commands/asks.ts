// roost asks: what waits for somebody, from any terminal.
import { titleOf } from '@roost/core/feed/title';
import type { AskRow } from '@roost/protocol/ask';
import { connect } from '../connect.ts';
import { fail } from '../output/exit.ts';
import { age, toTable } from '../output/table.ts';

export async function asks(options: { all?: boolean; json?: boolean }): Promise<void> {
	const connected = await connect({ start: false });
	if (!connected.ok) return fail(connected.error, options);
	// Without a runner nothing can wait.
	const listed = connected.value ? await connected.value.api.asks.list({ all: options.all }) : undefined;
	if (listed && !listed.ok) return fail(listed.error, options);
	const rows = listed?.value ?? [];
	if (options.json) {
		process.stdout.write(`${JSON.stringify(rows)}\n`);
		return;
	}
	if (rows.length === 0) {
		process.stdout.write('Nothing waits for you.\n');
		return;
	}
	const now = Date.now();
	const lines = rows.map((row) => [row.id, row.state, row.risk, age(row.openedAt, now), subjectOf(row)]);
	process.stdout.write(`${toTable(['ASK', 'STATE', 'RISK', 'AGE', 'WHAT'], lines)}\n`);
}

/** The same words as in the feed, so that a person recognises it. */
export function subjectOf(row: Pick<AskRow, 'tool' | 'input'>): string {
	return titleOf('tool.pre', { tool_name: row.tool, tool_input: row.input }).replace(/^● /, '');
}
