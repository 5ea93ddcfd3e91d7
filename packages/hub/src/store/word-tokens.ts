// Words as SQLite's full-text index splits them, for a database with another idea of a word: all indexes then have the same hits.
import { DatabaseSync } from 'node:sqlite';
import { numberOf, textOf } from '@roost/store/row-values';
import { toTerms } from '@roost/store/search-words';

/** The tokens of each column of each row. */
export function toTokens(rows: readonly { title: string; text: string }[]): { title: string[]; text: string[] }[] {
	using db = new DatabaseSync(':memory:');
	db.exec(`
		CREATE VIRTUAL TABLE given USING fts5 (title, text, content = '', tokenize = 'unicode61 remove_diacritics 2');
		CREATE VIRTUAL TABLE tokens USING fts5vocab (given, instance);
	`);
	const insert = db.prepare('INSERT INTO given (rowid, title, text) VALUES (?, ?, ?)');
	const found = rows.map(({ title, text }, at) => {
		insert.run(at, title, text);
		return { title: [] as string[], text: [] as string[] };
	});
	for (const row of db.prepare('SELECT doc, col, term FROM tokens ORDER BY doc, col, offset').iterate())
		found[numberOf(row, 'doc')]?.[textOf(row, 'col') === 'title' ? 'title' : 'text'].push(textOf(row, 'term'));
	return found;
}

/** Tokens that follow each other; the last one of a prefix may be longer. */
export type Phrase = { tokens: string[]; isPrefix: boolean };

/** As a full-text query of SQLite means it: a term without tokens is ignored, and only the last term is a prefix. */
export function toPhrases(words: string): Phrase[] {
	const terms = toTerms(words);
	const tokens = toTokens(terms.map((term) => ({ title: '', text: term })));
	return tokens
		.map(({ text }, at) => ({ tokens: text, isPrefix: at === terms.length - 1 }))
		.filter((phrase) => phrase.tokens.length > 0);
}
