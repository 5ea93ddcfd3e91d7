// roost sessions: lists recorded sessions.
import { age } from '@roost/core/display/age';
import { stateWords } from '@roost/core/views/words';
import type { SessionRow } from '@roost/protocol/session-row';
import { openRecordAtHub } from '../hub/record-at-hub.ts';
import { unwrap } from '../output/exit.ts';
import { print, write } from '../output/print.ts';
import { toTable } from '../output/table.ts';
import { connect } from '../runner/connect.ts';
import { loadRecord } from '../runner/open-runner.ts';

type Options = { all?: boolean; archived?: boolean; json?: boolean };

export async function sessions(options: Options): Promise<void> {
	const atHub = unwrap(await openRecordAtHub());
	// A folder of this machine says nothing about the projects of another one.
	const isOfAll = options.all === true || atHub !== null;
	const rows = atHub ? unwrap(await atHub.record.sessions({})) : await readRows(isOfAll);
	const shown = options.archived ? rows : rows.filter(({ archived }) => !archived);
	if (options.json) return await print(options, shown, []);
	const hidden = rows.length - shown.length;
	const connected = await connect({ start: false });
	const isUp = connected.ok && connected.value !== null;
	const list = shown.length === 0 ? noneSentence(isOfAll, hidden) : toList(shown, isUp, Date.now());
	await write(process.stdout, [list]);
	if (shown.length > 0 && hidden > 0) process.stderr.write(`${hidden} more archived. Use --archived to list them.\n`);
}

async function readRows(isOfAll: boolean): Promise<SessionRow[]> {
	const { openRecord } = await loadRecord();
	const record = unwrap(openRecord(process.env));
	await using store = record;
	const here = isOfAll ? undefined : await (await import('@roost/home/project')).findProject(process.cwd());
	return unwrap(store.sessions(here && { projectPath: here.path }));
}

function noneSentence(isOfAll: boolean, hidden: number): string {
	if (hidden > 0) return 'All sessions are archived. Run "roost sessions --archived" to list them.';
	return isOfAll
		? 'No session yet. Start one with "roost claude", or see "roost demo".'
		: 'No session in this project. See those of every project with "roost sessions --all".';
}

function toList(rows: readonly SessionRow[], isUp: boolean, now: number): string {
	const lines = rows.map((row) => [
		row.id,
		row.agent,
		row.archived ? `${stateWords(row, isUp)}, archived` : stateWords(row, isUp),
		toDriving(row),
		row.prompts === undefined ? '-' : String(row.prompts),
		age(row.lastEventAt, now),
		String(row.events),
		row.title,
	]);
	return toTable(['SESSION', 'AGENT', 'STATE', 'HOW', 'QUEUED', 'AGE', 'EVENTS', 'TITLE'], lines);
}

function toDriving({ driven, drive, gate }: SessionRow): string {
	if (!driven) return gate === 'enforce' ? 'enforced' : 'observed';
	const how = [drive?.mode, drive?.permission_mode].filter((word) => word !== undefined && word !== 'default');
	return how.length === 0 ? 'driven' : `driven (${how.join(', ')})`;
}
