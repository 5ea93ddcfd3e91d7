// Secrets that are recognised by their context: headers, URLs with credentials, webhooks, files of programs.
import { type Add, isPlaceholder } from './mark.ts';

type Placed = {
	kind: string;
	/** Occurs in every text with such a secret, and in few others: searched first. */
	sign: string;
	/** Every text with such a secret contains one of these: cheaper than the search. */
	hints: readonly string[];
	/** Its first group is the secret. Every quantifier is bounded. */
	shape: RegExp;
	accept?: (secret: string) => boolean;
};

const isRandom = (secret: string): boolean => /\d/.test(secret) && /[A-Za-z]/.test(secret);
const isReal = (secret: string): boolean => !isPlaceholder(secret) && !/^(?:pass(?:word)?|pw|token)$/i.test(secret);
const MOST = 4096;
const QUOTE = `\\\\{0,3}["'\`]?`;

const PLACED: readonly Placed[] = [
	{
		kind: 'slack-webhook',
		sign: '/',
		hints: ['hooks.slack.com'],
		shape: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/]{20,200})/dg,
	},
	{
		kind: 'discord-webhook',
		sign: '/',
		hints: ['/api/webhooks/'],
		shape: /discord(?:app)?\.com\/api\/webhooks\/\d{5,25}\/([A-Za-z0-9_-]{40,120})/dg,
	},
	{
		kind: 'teams-webhook',
		sign: '/',
		hints: ['webhook.office.com'],
		shape: /webhook\.office\.com\/webhookb2\/([A-Za-z0-9@/-]{40,300})/dg,
	},
	{ kind: 'azure-storage', sign: '=', hints: ['Key='], shape: /(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/]{40,200}={0,2})/dg },
	{ kind: 'azure-sas', sign: '=', hints: ['sig='], shape: /[?&]sig=([A-Za-z0-9%+/]{40,200}={0,2})/dg },
	{
		kind: 'azure-client',
		sign: '~',
		hints: ['Q~'],
		shape: /(?:(?<=\\[nrt])|(?<![\w~.-]))([\w~.-]{3}\dQ~[\w~.-]{31,34})(?![\w~-])/dg,
	},
	{ kind: 'telegram', sign: ':', hints: [':AA'], shape: /(?<!\d)(\d{8,10}:AA[\w-]{33})(?![\w-])/dg },
	{ kind: 'mailchimp', sign: '-us', hints: ['-us'], shape: /(?:(?<=\\[nrt])|(?<![\w-]))([0-9a-f]{32}-us\d{1,2})(?![\w-])/dg },
	{
		kind: 'terraform',
		sign: '.atlasv1.',
		hints: ['.atlasv1.'],
		shape: /(?:(?<=\\[nrt])|(?<![A-Za-z0-9]))([A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,128})/dg,
	},
	{
		kind: 'bearer',
		sign: 'earer',
		hints: [''],
		shape: new RegExp(`(?<![A-Za-z0-9])bearer[ +]{1,4}${QUOTE}([\\w.~+/-]{16,${MOST}}={0,2})`, 'dgi'),
		accept: isRandom,
	},
	{
		kind: 'authorization',
		sign: 'uthorization',
		hints: [''],
		shape: new RegExp(
			`authorization${QUOTE}\\s{0,4}(?:[:=]|=>)\\s{0,4}${QUOTE}(?:(?:bearer|token|apikey|api-key|key|negotiate|ntlm|aws4-hmac-sha256|oauth)[ +]{1,4}|token=)${QUOTE}([^\\s"'\`\\\\<>,]{6,${MOST}})`,
			'dgi',
		),
		accept: (secret) => isReal(secret) && (/\d/.test(secret) || secret.length >= 16),
	},
	{
		kind: 'authorization',
		sign: 'uthorization',
		hints: [''],
		shape: new RegExp(`authorization${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE}([\\w+/=.~-]{12,${MOST}})(?![ \\w])`, 'dgi'),
		accept: (secret) => isReal(secret) && isRandom(secret),
	},
	{
		kind: 'basic-auth',
		sign: 'asic ',
		hints: [''],
		shape: new RegExp(
			`authorization${QUOTE}\\s{0,4}(?:[:=]|=>)\\s{0,4}${QUOTE}basic {1,4}${QUOTE}([A-Za-z0-9+/]{6,${MOST}}={0,2})`,
			'dgi',
		),
	},
	{
		kind: 'cookie',
		sign: 'ookie',
		hints: [''],
		shape: new RegExp(
			`cookie2?${QUOTE}\\s{0,4}[:=]\\s{0,4}${QUOTE}([\\w.$-]{1,128}=[^\\s;"'\`\\\\,]{4,${MOST}}(?:; {0,2}[\\w.$-]{1,128}(?:=[^\\s;"'\`\\\\]{0,2048})?){0,64})`,
			'dgi',
		),
		accept: (secret) => !isPlaceholder(secret.slice(secret.indexOf('=') + 1)) && !/^\w+=\w+\(/.test(secret),
	},
	{
		kind: 'url-password',
		sign: ':',
		hints: ['://'],
		shape: /:\/\/[^\s/:@"'<>`\\]{0,128}:([^\s/@"'<>`\\]{1,256})@/dg,
		accept: (secret) => isReal(secret) && !/^\d{1,5}$/.test(secret),
	},
	{ kind: 'url-password', sign: ':', hints: ['://'], shape: /:\/\/([\w.~-]{20,256})@/dg, accept: isRandom },
	{
		kind: 'url-password',
		sign: ':',
		hints: ['@tcp('],
		shape: /(?<![\w.-])[\w.-]{1,64}:([^\s:@/"'`]{3,128})@tcp\(/dg,
		accept: isReal,
	},
	{
		kind: 'netrc',
		sign: 'password',
		hints: ['machine', 'default'],
		shape:
			/\b(?:machine\s{1,8}[^\s"']{1,256}|default(?=\s{1,8}(?:login|account)))\s{1,8}(?:(?:login|account)\s{1,8}[^\s"']{1,256}\s{1,8}){0,2}password\s{1,8}([^\s"'\\]{3,256})/dg,
		accept: isReal,
	},
	{
		kind: 'pgpass',
		sign: ':',
		hints: [':5432:', ':*:'],
		shape: /(?<![\w.*-])[\w.*-]{1,128}:(?:5432|\*):[\w*-]{1,64}:[\w*-]{1,64}:([^\s:"'\\]{3,128})/dg,
	},
	{
		kind: 'sql-password',
		sign: "'",
		hints: ['DENTIFIED', 'dentified'],
		shape: /identified\s{1,4}by\s{1,4}\\?['"]([^'"\n\\]{3,256})/dgi,
		accept: isReal,
	},
];

const BY_SIGN = [...Map.groupBy(PLACED, ({ sign }) => sign)].map(([sign, shapes]) => [sign, sign.toUpperCase(), shapes] as const);

export function findPlacedSecrets(text: string, add: Add): void {
	for (const [sign, upper, shapes] of BY_SIGN) if (text.includes(sign) || text.includes(upper)) findShapes(text, shapes, add);
}

function findShapes(text: string, shapes: readonly Placed[], add: Add): void {
	for (const { kind, hints, shape, accept } of shapes) {
		if (!hints.some((hint) => text.includes(hint))) continue;
		for (const match of text.matchAll(shape)) {
			const group = match.indices?.[1];
			if (group && (accept === undefined || accept(match[1] ?? ''))) add(kind, group[0], group[1]);
		}
	}
}

/** For the test that none of them can overflow. */
export const PLACED_SHAPES: readonly RegExp[] = PLACED.map(({ shape }) => shape);
