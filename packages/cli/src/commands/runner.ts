// roost up, down, status: the runner as a process.
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '@roost/protocol/app-error';
import { connect } from '../connect.ts';
import { connectToDecide } from '../inside-agent.ts';
import { loadReach, loadServe, loadStop } from '../open-runner.ts';
import { calledAs } from '../output/called-as.ts';
import { fail } from '../output/exit.ts';
import { age } from '../output/table.ts';

export async function up(options: { detach?: boolean; endWhenIdle?: boolean; port?: string; json?: boolean }): Promise<void> {
	if (options.detach) {
		const connected = await connect({ start: true });
		return connected.ok ? status(options) : fail(connected.error, options);
	}
	const { serve } = await loadServe();
	const say = (sentence: string) => process.stdout.write(`${new Date().toTimeString().slice(0, 8)}  ${sentence}\n`);
	const ended = await serve({
		env: process.env,
		flags: { port: options.port },
		endWhenIdle: options.endWhenIdle === true,
		log: say,
		onUp: ({ url, running }) =>
			say(`the runner is up at ${url} (process ${running.pid}); stop it with Ctrl-C or "${calledAs()} down"`),
	});
	if (!ended.ok) return fail(ended.error, options);
	process.exitCode = ended.value;
}

const JUDGE_MS = 2_000;

export async function down(options: { json?: boolean }): Promise<void> {
	// Without a runner an observed agent is on its own, which is for its user to decide. One that hangs must go all the same.
	const mine = await Promise.race([connectToDecide('down', { start: false }), delay(JUDGE_MS, undefined, { ref: false })]);
	if (mine?.ok === false && mine.error.code === 'unauthorized') return fail(mine.error, options);
	const { reachRunner } = await loadReach();
	const reached = await reachRunner({ env: process.env });
	if (!reached.ok) return fail(reached.error, options);
	if (!reached.value) {
		process.stdout.write(options.json ? '{"stopped":false}\n' : 'No runner is up.\n');
		return;
	}
	const { stopRunner } = await loadStop();
	const stopped = await stopRunner(reached.value.running);
	if (!stopped.ok) return fail(stopped.error, options);
	process.stdout.write(options.json ? '{"stopped":true}\n' : `The runner (process ${reached.value.running.pid}) is down.\n`);
}

export async function status(options: { json?: boolean }): Promise<void> {
	const { reachRunner } = await loadReach();
	const reached = await reachRunner({ env: process.env });
	if (!reached.ok) return fail(reached.error, options);
	const running = reached.value?.running;
	if (options.json) process.stdout.write(`${JSON.stringify(running ?? null)}\n`);
	else if (running) {
		process.stdout.write(
			`The runner is up at ${reached.value?.baseUrl} (process ${running.pid}, version ${running.version}, for ${age(running.startedAt, Date.now())}).\n`,
		);
	} else process.stdout.write('No runner is up. Commands that need one start it.\n');
	if (running) await checkAnswer(options);
}

async function checkAnswer(options: { json?: boolean }): Promise<void> {
	const connected = await connect({ start: false });
	const health = connected.ok && connected.value ? await connected.value.api.health() : undefined;
	if (health && !health.ok) fail(new AppError('cannot_start', `The runner does not answer: ${health.error.message}`), options);
}
