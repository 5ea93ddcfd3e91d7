// The schema of config.yaml: every key with its default, its description, and the allowed values in words.
import { isAbsolute, join } from 'node:path';
import { AGENT_IDS, DEFAULT_AGENT, OBSERVED_IDS } from '@roost/agents/base/agent-names';
import { DEFAULT_ASK_MS, LONGEST_ASK_MS } from '@roost/agents/base/ask-timeouts';
import { accepts, type CommandClass } from '@roost/protocol/hub/accepts';
import { MOST_TURNS } from '@roost/protocol/most-turns';
import { z } from 'zod';
import { setting } from './setting.ts';

export type RunnerConfig = z.infer<ReturnType<typeof createConfigSchema>>;

export function createConfigSchema({ homeDir, shell }: { homeDir: string; shell: string }) {
	const path = pathFrom(homeDir);
	return section({
		runner: section({
			name: setting(text().default('default'), 'Name of this runner in the API and in its metrics.'),
			port: setting(
				whole(0, 65_535).default(3100),
				'Port to listen on; 0 takes any free one, and so does a runner that finds 3100 taken. `roost up --port` overrides it.',
				{ variable: 'ROOST_PORT' },
			),
			host: setting(text().default('127.0.0.1'), 'Address to listen on: a loopback address.', { variable: 'ROOST_HOST' }),
		}),
		web: section({
			origins: setting(
				list(httpsOrigin(), 'origins such as https://host.tailnet.ts.net').default([]),
				'Addresses at which your own https proxy serves this runner, for browsers on other devices. The runner still listens on loopback only.',
			),
		}),
		push: section({
			hosts: setting(
				list(matching(/^[a-z0-9[][a-z0-9.:\]-]*$/, 'a host in lower case, such as push.example.com'), 'hosts').default([]),
				'Push services that notifications may be sent to, besides those of Google, Mozilla, Apple and Microsoft.',
			),
		}),
		auth: section({
			token: setting(
				matching(/^[\x21-\x7e]{32,512}$/, 'a text of 32 to 512 visible ASCII characters without spaces').optional(),
				'Token that opens the API. The file must then be readable by you alone (`chmod 600`). Without it Roost makes a token and keeps it.',
				{ variable: 'ROOST_AUTH_TOKEN', isSecret: true },
			),
			tokenFile: setting(path.optional(), 'File with the token, readable by you alone. `auth.token` takes precedence.'),
		}),
		projects: section({
			roots: setting(list(path, 'paths').default([]), 'Folders below which `roost projects` looks for projects.'),
			scanClaudeProjects: setting(yesNo().default(true), 'Also list the folders in which Claude Code worked.'),
			excludePatterns: setting(
				list(text(), 'patterns').default(['node_modules', '.git']),
				'Names and paths that the search for projects skips.',
			),
		}),
		hub: section({
			enabled: setting(
				yesNo().default(true),
				'Connect to the hub that this runner is paired with; without a pairing (`roost join`) nothing is connected.',
			),
			url: setting(
				z.url({ protocol: /^(wss?|https?)$/, error: 'an address such as wss://hub.example.com' }).optional(),
				'Address of that hub, where it is another than at the pairing. The key of the hub stays the same.',
				{ variable: 'ROOST_HUB_URL' },
			),
			accepts: acceptsSection(),
			reconnect: section({
				initialDelayMs: setting(milliseconds().default(1000), 'First delay before a lost connection is tried again.'),
				maxDelayMs: setting(milliseconds().default(30_000), 'Longest delay between two tries.'),
				multiplier: setting(factor().default(2), 'Factor by which the delay grows with each try.'),
				jitter: setting(yesNo().default(true), 'Vary the delay at random.'),
			}),
			heartbeatIntervalMs: setting(milliseconds().default(15_000), 'Time between two heartbeats.'),
			name: setting(text().default('hub'), 'Name of the hub that `roost hub` runs on this machine.'),
			port: setting(whole(0, 65_535).default(4100), 'Port of that hub. `roost hub --port` overrides it.'),
			host: setting(
				text().default('127.0.0.1'),
				'Address that the hub listens on. Another one than loopback needs a certificate or a proxy.',
			),
			urls: setting(
				list(hubAddress(), 'addresses such as https://hub.example.com').default([]),
				'Addresses at which people and runners reach the hub; the first one is in its links.',
			),
			behindProxy: setting(yesNo().default(false), 'A proxy ends TLS for the hub.'),
			certificate: setting(path.optional(), 'File with the TLS certificate of the hub and its chain, as PEM.'),
			key: setting(path.optional(), 'File with the private key of the certificate, as PEM.'),
			database: setting(
				matching(/^postgres(ql)?:\/\//, 'an address such as postgresql://user:password@host:5432/database').optional(),
				'Postgres database of the hub. Without it, the hub keeps everything in one file.',
				{ variable: 'ROOST_HUB_DATABASE', isSecret: true },
			),
			nats: setting(
				matching(/^(nats|tls):\/\//, 'an address such as nats://user:password@host:4222').optional(),
				'NATS server between several nodes of the hub, which then share the database.',
				{ variable: 'ROOST_HUB_NATS', isSecret: true },
			),
			webhooks: named(
				text(),
				section({
					url: setting(text('an address such as https://ntfy.example.com'), 'Address that the hub posts to.', { isSecret: true }),
					format: setting(
						oneOf(['slack', 'ntfy', 'json']).default('json'),
						'What it posts: a text for Slack, a message for ntfy, or the IDs.',
					),
					topic: setting(text().optional(), 'Topic of ntfy.'),
				}),
				'webhooks',
			).default({}),
			notify: section({
				quietHours: setting(
					text('hours such as 22:00-07:00').optional(),
					'Hours without notifications; they come at the end, if still needed.',
				),
				timeZone: setting(text().optional(), 'Time zone of the quiet hours. Without it, that of the hub.'),
				runners: setting(
					named(text(), yesNo(), 'runners').default({}),
					'By name or ID of a runner: false switches its notifications off.',
				),
			}),
		}),
		pty: section({
			shell: setting(path.default(shell), 'Shell of new terminals.'),
			useTmux: setting(yesNo().default(false), 'Run terminals in tmux, so that they outlive the runner.'),
			tmuxSocketPath: setting(path.optional(), 'Socket of that tmux. Without it, one in the runtime directory.'),
			scrollbackLines: setting(whole(0, 1_000_000).default(10_000), 'Lines that a terminal keeps above its screen.'),
		}),
		sdk: section({
			approvalTimeoutMs: setting(
				whole(1, LONGEST_ASK_MS).default(DEFAULT_ASK_MS),
				'How long a request waits for an answer, in milliseconds.',
			),
			settingSources: setting(
				list(oneOf(['user', 'project', 'local']), 'user, project and local').default([]),
				'Claude settings files that a driven Claude loads.',
			),
			maxTurns: setting(whole(1, MOST_TURNS).optional(), 'Model calls per prompt of a driven Claude. Without it, no limit.'),
		}),
		gate: section({
			mode: setting(
				oneOf(['observe', 'enforce']).default('observe'),
				`Gate of ${LAUNCHED}: with \`enforce\`, calls that were not explicitly allowed are blocked. \`--enforce\` overrides it.`,
				{ variable: 'ROOST_GATE' },
			),
		}),
		runtime: section({
			default: setting(agentId().default(DEFAULT_AGENT), 'Agent of `roost run` and of new sessions that name none.'),
			pi: section({
				provider: setting(text().optional(), 'Provider of models that are named to Pi without one.'),
				modelMap: setting(named(text(), text(), 'names to models').default({}), 'Your own names for models of Pi.'),
			}),
		}),
		agents: named(
			agentId(),
			section({
				command: setting(
					argv().optional(),
					'Program of this agent, with arguments that come first. An agent that Roost does not know must speak ACP.',
				),
				env: setting(
					named(variable(), z.string('a text (put numbers and yes or no in quotes)'), 'variables').default({}),
					'Variables for this agent, such as the key of a provider.',
					{ isSecret: true },
				),
			}),
			'agents',
		)
			.superRefine((agents, context) => {
				for (const [id, { command }] of Object.entries(agents)) {
					if (command !== undefined || AGENT_IDS.some((known) => known === id)) continue;
					context.addIssue({ code: 'custom', path: [id], params: { noEffect: unknownAgent(id) } });
				}
			})
			.default({}),
	});
}

/** By class of command; `none`, `role`: as the hub allows it, `signed`: by a device that this runner trusts. */
function acceptsSection() {
	const fallback = accepts.parse({});
	const level = (name: CommandClass, does: string) => {
		const words = oneOf(['none', 'role', 'signed']);
		return setting(words.default(fallback[name]), `How a hub may have this runner ${does}: ${LEVELS}.`);
	};
	return section({
		read: setting(
			oneOf(['none', 'role']).default(fallback.read),
			'Whether people at the hub may read what only this machine can answer.',
		),
		stop: level('stop', 'deny a request without a message, or interrupt a run'),
		operate: level('operate', 'prompt, create, resume and end sessions'),
		approve: level('approve', 'allow and answer requests'),
		own: level('own', 'change rules, plugins, MCP servers and terminals'),
	});
}

const LEVELS = '`none`, by the `role` of a person there, or `signed` by a device that you trust on this machine';

/** The commands that start agents of the user. */
const LAUNCHED = OBSERVED_IDS.map((id) => `\`roost ${id}\``).join(', ');

function unknownAgent(id: string): string {
	return `Roost knows no agent ${id}: choose one of ${AGENT_IDS.join(', ')}, or name the program as agents.${id}.command`;
}

/** A map of known keys. A missing or empty one counts as an empty map, so that the defaults inside it apply. */
function section<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
	const keys = Object.keys(shape).join(', ');
	const map = z.strictObject(shape, {
		error: ({ code }) => (code === 'unrecognized_keys' ? keys : `a map with the keys ${keys}`),
	});
	return z.preprocess((found) => found ?? {}, map);
}

function text(allowed = 'a text that is not empty') {
	return z.string(allowed).min(1, allowed);
}

/** `allowed`: the end of the sentence "it must be …", here and below. */
function matching(pattern: RegExp, allowed: string) {
	return z.string(allowed).regex(pattern, allowed);
}

function whole(least: number, most: number) {
	const allowed = `a whole number from ${least} to ${most}`;
	return z.int(allowed).min(least, allowed).max(most, allowed);
}

const milliseconds = () => whole(1, 2 ** 31 - 1);
const factor = (allowed = 'a number from 1 to 100') => z.number(allowed).min(1, allowed).max(100, allowed);
const yesNo = () => z.boolean('true or false');

function oneOf<const Word extends string>(words: readonly [Word, ...Word[]]) {
	return z.enum(words, words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or '));
}

/** Exactly as a browser sends it: no path, no default port, no upper case. */
function httpsOrigin() {
	const allowed = 'an origin such as https://host.tailnet.ts.net: https, a host in lower case, nothing after it';
	return z.string(allowed).refine((text) => {
		const url = URL.parse(text);
		return /^https:\/\/[a-z0-9[][a-z0-9.:\]-]*$/.test(text) && url?.origin === text && !url.hostname.endsWith('.');
	}, allowed);
}

/** Exactly as a browser sends it, except that plain http is possible. */
function hubAddress() {
	const allowed = 'an address such as https://hub.example.com: a host in lower case, nothing after it';
	return z
		.string(allowed)
		.refine((text) => /^https?:\/\/[a-z0-9[][a-z0-9.:\]-]*$/.test(text) && URL.parse(text)?.origin === text, allowed);
}

const variable = () => matching(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of a variable: letters, digits and underscores');
const agentId = () => matching(/^[a-z0-9][a-z0-9-]{0,63}$/, 'the id of an agent: lowercase letters, digits and dashes');

/** A program with its arguments. A single string is the program and is never split into words. */
function argv() {
	const allowed = 'a program, or a list of a program and its arguments';
	const one = text(allowed);
	return z.union([one.transform((program) => [program]), z.array(one).min(1, allowed)], allowed);
}

function list<Item extends z.ZodType>(item: Item, what: string) {
	return z.array(item, `a list of ${what}`);
}

function named<Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value, what: string) {
	return z.record(key, value, { error: `a map of ${what}` });
}

function pathFrom(homeDir: string) {
	const allowed = 'an absolute path, or one that begins with ~/';
	return z
		.string(allowed)
		.refine((path) => isAbsolute(path) || path.startsWith('~/'), allowed)
		.transform((path) => (path.startsWith('~/') ? join(homeDir, path.slice(2)) : path));
}
