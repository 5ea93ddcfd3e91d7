// roost status: asked often, by people and scripts, so it loads no more than it needs.
import { age } from '@roost/core/display/age';
import { AppError } from '@roost/protocol/app-error';
import { err, ok, type Result } from '@roost/protocol/result';
import { fail, tellOldConfig } from '../output/exit.ts';
import { nodeFetch } from '../runner/node-transport.ts';

type StatusOptions = { json?: boolean; link?: boolean };

export async function status(options: StatusOptions): Promise<void> {
	const { reachRunner } = await import('../runner/reach.ts');
	const reached = await reachRunner({ env: process.env });
	if (!reached.ok) return fail(reached.error, options);
	if (!reached.value) return sayNoneIsUp(options);
	const { baseUrl, running, hasOldConfig } = reached.value;
	const link = options.link ? await makeLink(baseUrl) : undefined;
	if (link && !link.ok) return fail(link.error, options);
	if (options.json) {
		process.stdout.write(`${JSON.stringify({ ...running, ...(link ? { link: link.value } : {}) })}\n`);
	} else {
		process.stdout.write(
			`The runner is up at ${baseUrl} (process ${running.pid}, version ${running.version}, for ${age(running.startedAt, Date.now())}).\n`,
		);
		if (link) process.stdout.write(`Open it in a browser within 30 seconds, once:\n  ${link.value.url}\n`);
	}
	if (hasOldConfig) tellOldConfig();
	const silence = await findSilence(baseUrl);
	if (silence)
		fail(
			new AppError('cannot_start', `The runner does not answer (${silence}). Run "roost down", then "roost up --detach".`),
			options,
		);
}

function sayNoneIsUp(options: StatusOptions): void {
	if (options.link)
		fail(new AppError('cannot_start', 'No runner is up: start one with "roost up --detach", which prints a link.'), options);
	else process.stdout.write(options.json ? 'null\n' : 'No runner is up. Commands that need one start it.\n');
}

/** A browser that opens it may decide, so an agent gets none. */
async function makeLink(baseUrl: string): Promise<Result<{ url: string; expiresAt: number }>> {
	const { connectToDecide } = await import('../runner/connect.ts');
	const connected = await connectToDecide('status --link', { start: false });
	if (!connected.ok) return connected;
	if (!connected.value) return err(new AppError('cannot_start', 'The runner has stopped. Start it with "roost up".'));
	const ticket = await connected.value.api.login.ticket();
	return ticket.ok ? ok({ url: `${baseUrl}${ticket.value.path}`, expiresAt: ticket.value.expiresAt }) : ticket;
}

/** Why it does not answer; null where it does. */
async function findSilence(baseUrl: string): Promise<string | null> {
	try {
		const { status } = await nodeFetch(`${baseUrl}/healthz`, { method: 'GET', headers: {} });
		return status === 200 ? null : `its health is ${status}`;
	} catch (cause) {
		return cause instanceof Error ? cause.message : String(cause);
	}
}
