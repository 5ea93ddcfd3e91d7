// roost sessions: lists recorded sessions.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { stateWords } from '@roost/core/views/words';
import type { SessionRow } from '@roost/protocol/session-row';
import { currentTarget } from '../hub/target.ts';
import { unwrap } from '../output/exit.ts';
import { print, write } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { openReader, type RecordedSession } from '../record/reader.ts';
import { connect } from '../runner/connect.ts';

type Options = { all?: boolean; archived?: boolean; json?: boolean };

export async function sessions(options: Options): Promise<void> {
	await using record = unwrap(await openReader());
	// A folder of this machine says nothing about others.
	const isAll = options.all || currentTarget() !== undefined;
	const here = isAll ? undefined : await (await import('@roost/home/project')).findProject(process.cwd());
	const rows = unwrap(await record.sessions(here && { projectPath: here.path }));
	const shown = options.archived ? rows : rows.filter(({ archived }) => !archived);
	if (options.json) return await print(options, shown, []);
	const hidden = rows.length - shown.length;
	const isUp = await isRunnerUp();
	const list = shown.length === 0 ? noneSentence(options, hidden) : toList(shown, isUp, Date.now());
	await write(process.stdout, [list]);
	if (shown.length > 0 && hidden > 0) process.stderr.write(`${hidden} more archived. Use --archived to list them.\n`);
}

/** Of runners behind a hub the status on record is the newest that is known. */
async function isRunnerUp(): Promise<boolean> {
	if (currentTarget()) return true;
	const connected = await connect({ start: false });
	return connected.ok && connected.value !== null;
}

function noneSentence({ all }: Options, hidden: number): string {
	if (hidden > 0) return 'All sessions are archived. Run "roost sessions --archived" to list them.';
	return all
		? 'No session yet. Start one with "roost claude", or see "roost demo".'
		: 'No session in this project. See those of every project with "roost sessions --all".';
}

function toList(rows: readonly RecordedSession[], isUp: boolean, now: number): string {
	const isMany = new Set(rows.map(({ runner }) => runner?.id)).size > 1;
	const lines = rows.map((row) => [
		row.id,
		row.agent,
		row.archived ? `${stateWords(row, isUp)}, archived` : stateWords(row, isUp),
		toDriving(row),
		row.prompts === undefined ? '-' : String(row.prompts),
		age(row.lastEventAt, now),
		String(row.events),
		row.title,
		...(isMany ? [sanitiseLine(row.runner?.name ?? '-')] : []),
	]);
	const header = ['SESSION', 'AGENT', 'STATE', 'HOW', 'QUEUED', 'AGE', 'EVENTS', 'TITLE'];
	return toTable(isMany ? [...header, 'RUNNER'] : header, lines);
}

function toDriving({ driven, drive, gate }: SessionRow): string {
	if (!driven) return gate === 'enforce' ? 'enforced' : 'observed';
	const how = [drive?.mode, drive?.permission_mode].filter((word) => word !== undefined && word !== 'default');
	return how.length === 0 ? 'driven' : `driven (${how.join(', ')})`;
}
