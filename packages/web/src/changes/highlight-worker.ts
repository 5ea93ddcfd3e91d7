// Highlights code in a worker: the tokens of lines as kinds, never as colours or markup.
import { createHighlighterCore, type HighlighterCore } from '@shikijs/core';
import { createJavaScriptRegexEngine } from '@shikijs/engine-javascript';
import { type HighlightReply, type HighlightRequest, TOKEN_KINDS, type Token, type TokenKind } from './highlight-messages.ts';
import { grammarOf } from './languages.ts';

const THEME = 'roost';
const LONGEST_LINE = 1_000;
/** The first line of a language takes longest, because its grammar is compiled. */
const LINE_MS = 1_000;

const SCOPES: Readonly<Record<TokenKind, readonly string[]>> = {
	comment: ['comment', 'punctuation.definition.comment'],
	string: ['string', 'punctuation.definition.string', 'markup.inline.raw', 'markup.fenced_code'],
	number: ['constant.numeric', 'constant.language', 'constant.character'],
	keyword: ['keyword', 'storage', 'keyword.operator.expression', 'markup.heading'],
	name: ['entity.name.function', 'support.function', 'entity.name.tag', 'meta.object-literal.key', 'support.type.property-name'],
	type: ['entity.name.type', 'entity.name.class', 'support.type', 'support.class', 'entity.other.attribute-name'],
};

/** Each kind has a colour that only stands for it. */
const colourOf = (kind: TokenKind) => `#00000${TOKEN_KINDS.indexOf(kind) + 1}`;
const kindOf = new Map(TOKEN_KINDS.map((kind) => [colourOf(kind), kind]));

const theme = {
	name: THEME,
	type: 'light' as const,
	colors: { 'editor.foreground': '#000000', 'editor.background': '#ffffff' },
	settings: [
		{ settings: { foreground: '#000000', background: '#ffffff' } },
		...TOKEN_KINDS.map((kind) => ({ scope: [...SCOPES[kind]], settings: { foreground: colourOf(kind) } })),
		{ scope: ['keyword.operator'], settings: { foreground: '#000000' } },
	],
};

let opened: Promise<HighlighterCore> | undefined;

async function highlight({ language, lines }: HighlightRequest): Promise<Token[][]> {
	opened ??= createHighlighterCore({ themes: [theme], langs: [], engine: createJavaScriptRegexEngine({ forgiving: true }) });
	const highlighter = await opened;
	await highlighter.loadLanguage(grammarOf(language));
	const read = highlighter.codeToTokensBase(lines.join('\n'), {
		lang: language,
		theme: THEME,
		tokenizeMaxLineLength: LONGEST_LINE,
		tokenizeTimeLimit: LINE_MS,
	});
	return read.map((tokens) => {
		let at = 0;
		return tokens.flatMap(({ content, color }) => {
			const start = at;
			at += content.length;
			const kind = kindOf.get(color?.toLowerCase() ?? '');
			return kind ? [{ start, end: at, kind }] : [];
		});
	});
}

addEventListener('message', ({ data }: MessageEvent<HighlightRequest>) => {
	const reply = (answer: HighlightReply) => postMessage(answer);
	highlight(data).then(
		(tokens) => reply({ id: data.id, tokens }),
		() => reply({ id: data.id }),
	);
});
