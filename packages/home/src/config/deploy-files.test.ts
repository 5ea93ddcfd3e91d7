// The files in deploy: they parse, and the commands, options, variables and files that they use exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { driveCli, readHelps } from '@roost/testkit/rigs/runner/drive-cli';
import { createTempDir } from '@roost/testkit/rigs/temp-dir';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const FOLDER = join(import.meta.dirname, '../../../../deploy');
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

const compose = z.object({
	services: z.record(
		z.string(),
		z.looseObject({
			command: z.array(z.string()).optional(),
			environment: z.record(z.string(), z.string()).optional(),
			volumes: z.array(z.string()).optional(),
			depends_on: z.record(z.string(), z.unknown()).optional(),
		}),
	),
	volumes: z.record(z.string(), z.unknown()),
});

describe('deploy files', () => {
	let helpOf: (words: readonly string[]) => string;
	beforeAll(async () => {
		await using temp = await createTempDir();
		const env = { HOME: temp.path, ROOST_HOME: join(temp.path, 'roost'), PATH: process.env.PATH ?? '' };
		const helps = await readHelps((runs) => driveCli(runs, { cwd: temp.path, env }));
		helpOf = (words) => helps.find((one) => one.words.join(' ') === words.join(' '))?.help ?? expect.fail(`no command ${words}`);
	});

	/** `words`: after `roost`. */
	function requireCommand([command = '', ...rest]: readonly string[]): void {
		const help = helpOf([command]) + (command === 'hub' ? helpOf(['hub', 'start']) : '');
		for (const word of rest.filter((one) => one.startsWith('-'))) expect.soft(help, word).toMatch(new RegExp(`${word}[ ,\\n]`));
	}

	it('of compose name services, volumes, options and variables that exist', () => {
		const { services, volumes } = compose.parse(parse(read('compose.yaml')));
		const { hub } = services;
		requireCommand(hub?.command ?? []);
		expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(hub?.depends_on ?? {})));
		for (const { volumes: mounted = [] } of Object.values(services)) {
			for (const volume of mounted) expect(Object.keys(volumes)).toContain(volume.split(':')[0]);
		}
		for (const name of Object.keys(hub?.environment ?? {})) requireVariable(name);
	});

	it('of Docker start the hub of the packed package, as an unprivileged user', () => {
		const lines = read('Dockerfile').split('\n');
		const started = lines.find((line) => line.startsWith('CMD '))?.slice(4) ?? '';
		requireCommand(z.array(z.string()).parse(JSON.parse(started)));
		expect(lines).toEqual(expect.arrayContaining(['USER node', 'ENV ROOST_HOME=/data', 'ENTRYPOINT ["roost"]']));
	});

	it.each(['roost-hub.service', 'roost-runner.service'])('of systemd start a command that exists: %s', (name) => {
		const unit = parseUnit(read(name));
		expect([...unit.keys()]).toEqual(['Unit', 'Service', 'Install']);
		const [program = '', ...words] = unit.get('Service')?.get('ExecStart')?.split(' ') ?? [];
		expect(program).toMatch(/\/roost$/);
		requireCommand(words);
		const variable = unit.get('Service')?.get('Environment')?.split('=')[0];
		if (variable !== undefined) requireVariable(variable);
	});
});

function requireVariable(name: string): void {
	const document = readFileSync(join(FOLDER, '../docs/configuration.md'), 'utf8');
	if (name !== 'ROOST_HOME') expect(document).toContain(`\`${name}\``);
}

/** Sections with their keys; a line that is neither is an error. */
function parseUnit(text: string): Map<string, Map<string, string>> {
	const sections = new Map<string, Map<string, string>>();
	let section = new Map<string, string>();
	for (const line of text.split('\n').filter((one) => one !== '' && !one.startsWith('#'))) {
		const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
		const [, key, value] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
		if (name !== undefined) {
			section = new Map();
			sections.set(name, section);
		} else if (key !== undefined && value !== undefined) section.set(key, value);
		else expect.fail(`not a line of a unit: ${line}`);
	}
	return sections;
}
