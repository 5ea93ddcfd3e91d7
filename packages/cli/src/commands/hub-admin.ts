// roost hub invite, people, grant, revoke, commands, cancel and audit: what admins do with a hub.
import { age } from '@roost/core/display/age';
import { sanitiseLine } from '@roost/core/display/sanitise';
import { AppError } from '@roost/protocol/app-error';
import { type Grant, type Person, personRole, userName } from '@roost/protocol/hub/people';
import type { CommandRow, RunnerRow } from '@roost/protocol/hub/runners';
import { connectToAdminister } from '../hub/own-hub.ts';
import { unwrap } from '../output/exit.ts';
import { calledAs } from '../output/launcher.ts';
import { pickOne } from '../output/parse-input.ts';
import { print } from '../output/print.ts';
import { toTable } from '../output/table.ts';

type Json = { json?: boolean };

export async function invite(options: Json & { user?: string; role?: string[]; qr?: boolean }): Promise<void> {
	const { api, url } = unwrap(connectToAdminister(process.env));
	const grants = await toGrants(options.role ?? [], async () => unwrap(await api.runners.list()));
	const user = options.user === undefined ? undefined : toUser(options.user);
	const issued = unwrap(await api.hub.invite({ user, grants }));
	const link = `${new URL(url).origin}${issued.path}`;
	const lines = [`Pairs a machine or a browser of ${issued.user} within 10 minutes, once:`, `  ${link}`];
	if (options.qr && !options.json) {
		const { styleFor } = await import('../output/feed-line.ts');
		const { toQrLines } = await import('../output/qr-code.ts');
		lines.push(...toQrLines(link, styleFor(process.stdout, process.env)));
	} else lines.push(`On a machine: ${calledAs()} join '${link}'. In a browser: open it.`);
	await print(options, { ...issued, link }, lines);
}

export async function people(options: Json): Promise<void> {
	const { api } = unwrap(connectToAdminister(process.env));
	const all = unwrap(await api.hub.people());
	await print(options, all, [all.length === 0 ? 'No people yet. Invite one with "roost hub invite".' : toPeopleTable(all)]);
}

export async function grant(user: string, roles: string[], options: Json): Promise<void> {
	const { api } = unwrap(connectToAdminister(process.env));
	const grants = await toGrants(roles, async () => unwrap(await api.runners.list()));
	unwrap(await api.hub.grant({ user: toUser(user), grants }));
	await print(options, { user, grants }, [
		grants.length === 0 ? `${user} has no roles now.` : `${user} is now ${toRoleWords(grants)}.`,
	]);
}

export async function revokeRunner(name: string, options: Json): Promise<void> {
	const { api } = unwrap(connectToAdminister(process.env));
	const runner = pickRunner(unwrap(await api.runners.list()), name);
	unwrap(await api.hub.revokeRunner({ runner: runner.id }));
	await print(options, { revoked: runner.id }, [`Revoked the runner "${runner.name}". Its record stays.`]);
}

export async function listCommands(options: Json): Promise<void> {
	const { api } = unwrap(connectToAdminister(process.env));
	const all = unwrap(await api.hub.commands({}));
	await print(options, all, [all.length === 0 ? 'No commands yet' : toCommandTable(all, Date.now())]);
}

export async function cancelCommand(id: string, options: Json): Promise<void> {
	const { api } = unwrap(connectToAdminister(process.env));
	const all = unwrap(await api.hub.commands({ limit: 1_000 }));
	const picked = unwrap(pickOne(all, id, (command) => [command.id], 'command'));
	unwrap(await api.hub.cancelCommand({ id: picked.id }));
	await print(options, { cancelled: picked.id }, [`Cancelled ${picked.id}.`]);
}

export async function audit(options: Json): Promise<void> {
	const { api } = unwrap(connectToAdminister(process.env));
	const entries: { n: number; at: number; who: string; what: string; hash: string }[] = [];
	for (;;) {
		const page = unwrap(await api.hub.audit({ after: entries.at(-1)?.n ?? 0 }));
		entries.push(...page);
		if (page.length === 0) break;
	}
	const rows = entries.map(({ n, at, who, what }) => [
		String(n),
		new Date(at).toISOString().slice(0, 19),
		sanitiseLine(who),
		sanitiseLine(what),
	]);
	await print(options, entries, [entries.length === 0 ? 'No entries yet' : toTable(['N', 'TIME (UTC)', 'WHO', 'WHAT'], rows)]);
}

/** `role` on all runners, or `role@runner`. */
async function toGrants(words: readonly string[], runners: () => Promise<RunnerRow[]>): Promise<Grant[]> {
	const rows = words.some((word) => word.includes('@')) ? await runners() : [];
	return words.map((word) => {
		const [name = '', runner] = word.split('@', 2);
		const role = personRole.safeParse(name);
		if (!role.success) throw new AppError('usage', `"${name}" is not a role. Choose ${personRole.options.join(', ')}.`);
		return { role: role.data, runner: runner === undefined ? null : pickRunner(rows, runner).id };
	});
}

function pickRunner(rows: readonly RunnerRow[], name: string): RunnerRow {
	return unwrap(pickOne(rows, name, (row) => [row.name, row.id], 'runner'));
}

function toUser(name: string): string {
	if (userName.safeParse(name).success) return name;
	throw new AppError('usage', `"${name}" cannot be a user: use 1 to 32 of a-z, 0-9, ".", "_" and "-".`);
}

function toRoleWords(grants: readonly Grant[]): string {
	return grants.map(({ role, runner }) => (runner === null ? role : `${role} on ${runner}`)).join(', ');
}

function toPeopleTable(all: readonly Person[]): string {
	const rows = all.map(({ name, grants, devices }) => [
		name,
		toRoleWords(grants) || '–',
		devices.map((device) => sanitiseLine(device.name)).join(', ') || '–',
	]);
	return toTable(['PERSON', 'ROLES', 'DEVICES'], rows);
}

function toCommandTable(all: readonly CommandRow[], now: number): string {
	const rows = all.map(({ id, runner, operation, by, state, createdAt, problem = '' }) => [
		id.slice(0, 8),
		runner,
		operation,
		sanitiseLine(by),
		state,
		`${age(createdAt, now)} ago`,
		sanitiseLine(problem),
	]);
	return toTable(['COMMAND', 'RUNNER', 'OPERATION', 'BY', 'STATE', 'SENT', 'PROBLEM'], rows);
}
