// Secrets as they occur in commands, files and output, generated on request: none is written in this file.

export type SecretShape = {
	name: string;
	/** The whole text that a user would type, print or store. */
	text: string;
	/** Its random part: no eight characters of it may appear afterwards. */
	secret: string;
};

/** The same seed gives the same secrets. */
export function createSecretShapes(seed: number): SecretShape[] {
	const random = createRandom(seed);
	return [...tokens(random), ...named(random), ...placed(random), ...files(random), ...wrapped(random)];
}

/** The leaked part of a secret in a text: eight consecutive characters, or all of a shorter secret. */
export function leakOf(secret: string, seen: string): string | undefined {
	const width = Math.min(8, secret.length);
	for (let at = 0; at + width <= secret.length; at++) {
		const piece = secret.slice(at, at + width);
		if (seen.includes(piece)) return piece;
	}
	return undefined;
}

/** The same for many secrets in one pass over a long text: the names of leaked secrets, and where. */
export function findLeaks(shapes: readonly SecretShape[], seen: string): string[] {
	const pieces = new Map<string, { piece: string; name: string }>();
	for (const { name, secret } of shapes)
		for (let at = 0; at + PIECE <= secret.length; at++) {
			const piece = secret.slice(at, at + (HEX_ONLY.test(secret.slice(at, at + PIECE)) ? HEX_PIECE : PIECE));
			pieces.set(piece.slice(0, PIECE), { piece, name });
		}
	const beginnings = new Uint8Array(HASHES);
	for (const piece of pieces.keys()) beginnings[hashAt(piece, 0)] = 1;
	const leaks = new Map<string, string>();
	for (let at = 0; at + PIECE <= seen.length; at++) {
		if (beginnings[hashAt(seen, at)] !== 1) continue;
		const found = pieces.get(seen.slice(at, at + PIECE));
		if (found && seen.startsWith(found.piece, at) && !leaks.has(found.name))
			leaks.set(found.name, `${found.name}: ${seen.slice(Math.max(0, at - 100), at + 20)}`);
	}
	return [...leaks.values()];
}

/** The length of a leak. */
const PIECE = 8;
/** Longer for hex: a record is full of hashes, and eight hex digits can match by chance. */
const HEX_PIECE = 12;
const HEX_ONLY = /^[0-9a-f]+$/;
/** Of three characters: rules out most positions of a text. */
const HASHES = 1 << 21;

function hashAt(text: string, at: number): number {
	return ((text.charCodeAt(at) << 14) ^ (text.charCodeAt(at + 1) << 7) ^ text.charCodeAt(at + 2)) & (HASHES - 1);
}

type Random = { of(alphabet: string, length: number): string };

function createRandom(seed: number): Random {
	let state = seed;
	const next = (below: number) => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
	return { of: (alphabet, length) => Array.from({ length }, () => alphabet[next(alphabet.length)]).join('') };
}

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const ALNUM = DIGITS + LOWER + UPPER;
const HEX = '0123456789abcdef';
const URL64 = `${ALNUM}_-`;
const B64 = `${ALNUM}+/`;
const UPPER_DIGITS = `${UPPER}234567`;

/** Always with a digit and both cases, as real ones have. */
function mixed(random: Random, alphabet: string, length: number): string {
	return `a7K${random.of(alphabet, length - 3)}`;
}

/** A prefix, its alphabet and length. Prefixes are split in two, so that no scanner reports this file as a leak. */
const TOKENS: readonly [name: string, head: string, tail: string, alphabet: string, length: number][] = [
	['anthropic api', 'sk-an', 't-api03-', URL64, 95],
	['anthropic oauth', 'sk-an', 't-oat01-', URL64, 60],
	['anthropic admin', 'sk-an', 't-admin01-', URL64, 95],
	['openai project', 'sk-pr', 'oj-', URL64, 120],
	['openai service', 'sk-svc', 'acct-', URL64, 80],
	['openai old', 's', 'k-', ALNUM, 48],
	['openrouter', 'sk-o', 'r-v1-', HEX, 64],
	['groq', 'gs', 'k_', ALNUM, 52],
	['xai', 'xa', 'i-', ALNUM, 80],
	['replicate', 'r', '8_', ALNUM, 37],
	['perplexity', 'ppl', 'x-', ALNUM, 48],
	['huggingface', 'h', 'f_', LOWER + UPPER, 34],
	['nvidia', 'nva', 'pi-', URL64, 64],
	['github classic', 'gh', 'p_', ALNUM, 36],
	['github oauth', 'gh', 'o_', ALNUM, 36],
	['github app', 'gh', 's_', ALNUM, 36],
	['github refresh', 'gh', 'r_', ALNUM, 36],
	['github fine', 'github', '_pat_', ALNUM, 82],
	['gitlab personal', 'glp', 'at-', URL64, 20],
	['gitlab runner', 'gl', 'rt-', URL64, 20],
	['gitlab deploy', 'gl', 'dt-', URL64, 20],
	['google oauth', 'ya', '29.', URL64, 60],
	['google client', 'GOC', 'SPX-', URL64, 28],
	['slack app', 'xa', 'pp-1-A0', ALNUM, 60],
	['stripe live', 'sk', '_live_', ALNUM, 24],
	['stripe restricted', 'rk', '_test_', ALNUM, 24],
	['stripe webhook', 'wh', 'sec_', ALNUM, 32],
	['npm', 'np', 'm_', ALNUM, 36],
	['pypi', 'py', 'pi-AgEIcHlwaS5vcmc', URL64, 80],
	['rubygems', 'ruby', 'gems_', HEX, 48],
	['docker hub', 'dckr', '_pat_', URL64, 27],
	['digitalocean', 'do', 'p_v1_', HEX, 64],
	['twilio key', 'S', 'K', HEX, 32],
	['mailgun', 'ke', 'y-', HEX, 32],
	['sendinblue', 'xkey', 'sib-', HEX, 64],
	['shopify', 'shp', 'at_', HEX, 32],
	['square', 'sq0', 'atp-', URL64, 22],
	['linear', 'lin', '_api_', ALNUM, 40],
	['notion', 'nt', 'n_', ALNUM, 46],
	['figma', 'fi', 'gd_', URL64, 40],
	['databricks', 'da', 'pi', HEX, 32],
	['doppler', 'dp', '.pt.', ALNUM, 43],
	['vault', 'hv', 's.', ALNUM, 90],
	['grafana', 'gl', 'sa_', ALNUM, 32],
	['newrelic', 'NR', 'AK-', UPPER_DIGITS, 27],
	['sentry', 'snt', 'rys_', ALNUM, 60],
	['supabase', 'sb', 'p_', HEX, 40],
	['planetscale', 'psc', 'ale_tkn_', ALNUM, 43],
	['age', 'AGE-SEC', 'RET-KEY-1', UPPER_DIGITS, 58],
	['atlassian', 'AT', 'ATT3', ALNUM, 180],
	['tailscale', 'ts', 'key-auth-', ALNUM, 32],
	['pulumi', 'pu', 'l-', HEX, 40],
	['heroku', 'HR', 'KU-', URL64, 60],
	['fly', 'fo', '1_', ALNUM, 43],
	['prefect', 'pn', 'u_', ALNUM, 36],
	['langchain', 'ls', 'v2_pt_', HEX, 43],
	['buildkite', 'bk', 'ua_', HEX, 40],
	['artifactory', 'AK', 'Cp', ALNUM, 69],
];

function tokens(random: Random): SecretShape[] {
	const listed = TOKENS.map(([name, head, tail, alphabet, length]): SecretShape => {
		const secret = alphabet === ALNUM || alphabet === URL64 ? mixed(random, ALNUM, length) : random.of(alphabet, length);
		return { name, text: `use ${head}${tail}${secret} here`, secret };
	});
	const shape = (name: string, head: string, secret: string, after = ''): SecretShape => ({
		name,
		text: `${head}${secret}${after}`,
		secret,
	});
	return [
		...listed,
		shape('aws key id', `AK${'IA'}`, random.of(UPPER_DIGITS, 16)),
		shape('google api', `AI${'za'}`, mixed(random, ALNUM, 35)),
		shape('jwt', `e${'yJ'}hbGciOiJIUzI1NiJ9.ey${'Jz'}`, `${mixed(random, URL64, 40)}.${mixed(random, URL64, 43)}`),
		shape('slack bot', `xo${'xb-'}`, `${random.of(DIGITS, 12)}-${random.of(DIGITS, 12)}-${mixed(random, ALNUM, 24)}`),
		shape('sendgrid', `S${'G.'}`, `${mixed(random, ALNUM, 22)}.${mixed(random, ALNUM, 43)}`),
		shape('discord bot', 'M', `${mixed(random, ALNUM, 23)}.${mixed(random, ALNUM, 6)}.${mixed(random, ALNUM, 38)}`),
		shape('telegram', `${random.of('123456789', 9)}:A${'A'}`, mixed(random, ALNUM, 33)),
		shape('postman', `PM${'AK-'}`, `${random.of(HEX, 24)}-${random.of(HEX, 34)}`),
		shape('mailchimp', '', random.of(HEX, 32), `-${'us12'}`),
		shape('terraform', '', `${mixed(random, ALNUM, 14)}.atlas${'v1'}.${mixed(random, ALNUM, 67)}`),
		shape('airtable', 'pat', `${mixed(random, ALNUM, 14)}.${random.of(HEX, 64)}`),
		shape('azure client', mixed(random, ALNUM, 3), `8${'Q~'}${mixed(random, ALNUM, 34)}`),
	];
}

/** After a name that marks a secret of any format. */
function named(random: Random): SecretShape[] {
	const letters = () => random.of(LOWER, 14);
	const digits = () => random.of('123456789', 10);
	const mix = () => mixed(random, ALNUM, 16);
	const shape = (name: string, before: string, secret: string, after = ''): SecretShape => ({
		name,
		text: before + secret + after,
		secret,
	});
	return [
		shape('DB_PASSWORD', 'export DB_PASSWORD=', mix()),
		shape('DB_PASS letters', 'DB_PASS=', letters(), ' ./run.sh'),
		shape('DB_PASS digits', 'DB_PASS=', digits()),
		shape('MYSQL_PWD', 'MYSQL_PWD=', letters()),
		shape('APP_PW', 'APP_PW=', mix()),
		shape('STRIPE_KEY', 'STRIPE_KEY=', letters()),
		shape('SECRET_KEY_BASE', 'SECRET_KEY_BASE=', random.of(HEX, 64)),
		shape('AWS secret', 'AWS_SECRET_ACCESS_KEY=', mixed(random, B64, 40)),
		shape('quoted env', 'export API_TOKEN="', mix(), '"'),
		shape('json field', '{"password": "', letters(), '"}'),
		shape('json api_key', '{"api_key": "', mix(), '"}'),
		shape('escaped json', '{\\"client_secret\\": \\"', mix(), '\\"}'),
		shape('yaml letters', 'db:\n  password: ', letters(), '\n'),
		shape('yaml digits', 'password: ', digits(), '\n'),
		shape('yaml next line', 'password:\n    ', mix(), '\n'),
		shape('query', 'https://x.example/?access_token=', mix(), '&y=2'),
		shape('long option', 'tool --password ', letters(), ' --verbose'),
		shape('long option =', 'tool --auth-token=', mix()),
		shape('xml', '<password>', letters(), '</password>'),
		shape('sql', "CREATE USER app IDENTIFIED BY '", mix(), "'"),
		shape('ini', 'passwd=', letters(), '\n'),
		shape('k8s env', '- name: DB_PASSWORD\n  value: ', mix(), '\n'),
	];
}

function placed(random: Random): SecretShape[] {
	const mix = (length = 16) => mixed(random, ALNUM, length);
	const word = () => random.of(LOWER, 12);
	const shape = (name: string, before: string, secret: string, after = ''): SecretShape => ({
		name,
		text: before + secret + after,
		secret,
	});
	return [
		shape('bearer', "curl -H 'Authorization: Bearer ", mix(40), "' https://x.example"),
		shape('auth token', 'Authorization: token ', mix(40), '\r\n'),
		shape('basic', 'Authorization: Basic ', mix(24), '=='),
		shape('raw authorization', 'Authorization: ', mix(32)),
		shape('cookie', 'Cookie: sid=', mix(26), '; Path=/'),
		shape('set-cookie', 'Set-Cookie: session=', mix(26), '; HttpOnly'),
		shape('x-api-key', "-H 'X-Api-Key: ", mix(24), "'"),
		shape('curl -u', 'curl -u admin:', word(), ' https://x.example'),
		shape('curl --user', 'curl -s --user "admin:', mix(), '" https://x.example'),
		shape('sshpass', 'sshpass -p ', word(), ' ssh host'),
		shape('docker login', 'docker login -u me -p ', word(), ' registry.example'),
		shape('mysql -p', 'mysql -u root -p', word(), ' shop'),
		shape('redis-cli', 'redis-cli -h cache -a ', word(), ' ping'),
		shape('openssl', 'openssl pkcs12 -in a.p12 -passin pass:', word(), ' -nodes'),
		shape('htpasswd', 'htpasswd -bc .htpasswd admin ', word()),
		shape('url password', 'git clone https://me:', mix(), '@host.example/x.git'),
		shape('postgres url', 'postgres://app:', word(), '@db:5432/x'),
		shape('go dsn', 'root:', word(), '@tcp(127.0.0.1:3306)/shop'),
		shape(
			'slack webhook',
			'https://hooks.slack.com/services/',
			`T${random.of(UPPER_DIGITS, 8)}/B${random.of(UPPER_DIGITS, 8)}/${mix(24)}`,
		),
		shape('discord webhook', 'https://discord.com/api/webhooks/123456789012345678/', mix(68)),
		shape('azure storage', 'AccountName=x;AccountKey=', mixed(random, ALNUM, 86), '==;EndpointSuffix=y'),
		shape('azure sas', 'https://x.example/y?sv=1&sig=', mix(43), '%3D&se=2'),
	];
}

function files(random: Random): SecretShape[] {
	const line = () => mixed(random, B64, 64);
	const shape = (name: string, before: string, secret: string, after = ''): SecretShape => ({
		name,
		text: before + secret + after,
		secret,
	});
	const begin = (kind: string) => `-----BEGIN ${kind}${'PRIVATE'} KEY-----\n`;
	const end = (kind: string) => `\n-----END ${kind}${'PRIVATE'} KEY-----\n`;
	return [
		shape('rsa key', begin('RSA '), `${line()}\n${line()}`, end('RSA ')),
		shape('openssh key', begin('OPENSSH '), `${line()}\n${line()}`, end('OPENSSH ')),
		shape(
			'key of a service account',
			`{"private_key": "-----BEGIN ${'PRIVATE'} KEY-----\\n`,
			line(),
			`\\n-----END ${'PRIVATE'} KEY-----\\n"}`,
		),
		shape(
			'putty key',
			`PuTTY-User-${'Key-File'}-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n`,
			line(),
			`\nPrivate-MAC: ${random.of(HEX, 64)}\n`,
		),
		shape('npmrc _auth', '//registry.example/:_auth=', Buffer.from(`me:${random.of(ALNUM, 14)}`).toString('base64')),
		shape('npmrc _authToken', '//registry.example/:_authToken=', mixed(random, ALNUM, 36)),
		shape(
			'docker config',
			'{"auths": {"x.example": {"auth": "',
			Buffer.from(`me:${random.of(ALNUM, 14)}`).toString('base64'),
			'"}}}',
		),
		shape('kube key', '    client-key-data: ', Buffer.from(begin('RSA ') + line()).toString('base64'), '\n'),
		shape('kube token', '    token: ', mixed(random, ALNUM, 40), '\n'),
		shape('netrc', 'machine api.example login me password ', random.of(LOWER, 12), '\n'),
		shape('netrc lines', 'machine api.example\n  login me\n  password ', random.of(LOWER, 12), '\n'),
		shape('pgpass', 'db.example:5432:shop:app:', random.of(ALNUM, 14), '\n'),
	];
}

/** Tokens in base64, as in Kubernetes secrets or in `echo … | base64 -d`. */
function wrapped(random: Random): SecretShape[] {
	const token = () => `gh${'p_'}${mixed(random, ALNUM, 36)}`;
	const shape = (name: string, before: string, plain: string, after = ''): SecretShape => {
		const secret = Buffer.from(plain).toString('base64');
		return { name, text: before + secret + after, secret };
	};
	return [
		shape('wrapped token', 'echo ', token(), ' | base64 -d'),
		shape('wrapped assignment', '  data: ', `DB_PASSWORD=${mixed(random, ALNUM, 20)}\n`),
		shape('wrapped twice', 'x: ', Buffer.from(token()).toString('base64')),
	];
}
