// Markdown as elements: HTML is text, links are http(s) only and show their address, images are never loaded.
import type { Block, Item, Line, List, Span, Table } from '@roost/core/display/markdown/block';
import { readMarkdown } from '@roost/core/display/markdown/read-markdown';
import { sanitiseBlock, sanitiseLine } from '@roost/core/display/sanitise';
import { createElement, Fragment, memo, type ReactNode } from 'react';
import styles from './markdown.module.css';

export const Markdown = memo(function Markdown({ text }: { text: string }) {
	return <div className={styles.markdown}>{inOrder([...readMarkdown(text)].map(toElement))}</div>;
});

/** Parts of one text have no other identity than their order. */
function inOrder(parts: readonly ReactNode[]): ReactNode {
	return createElement(Fragment, null, ...parts);
}

function toElement(block: Block): ReactNode {
	switch (block.type) {
		case 'paragraph':
			return <p>{inOrder(block.lines.map(toLine))}</p>;
		case 'heading':
			return (
				<p className={styles.heading} data-level={block.level}>
					{toLine(block.line)}
				</p>
			);
		case 'quote':
			return <blockquote>{inOrder(block.lines.map(toLine))}</blockquote>;
		case 'code':
			return <pre className={styles.code}>{sanitiseBlock(block.lines.join('\n'))}</pre>;
		case 'rule':
			return <hr />;
		case 'blank':
			return null;
		case 'list':
			return toList(block);
		case 'table':
			return toTable(block);
	}
}

function toList({ ordered, items }: List): ReactNode {
	const shown = inOrder(items.map(toItem));
	return ordered ? <ol>{shown}</ol> : <ul>{shown}</ul>;
}

function toItem({ ordinal, done, line, lists }: Item): ReactNode {
	const box = done ? '☑' : '☐';
	return (
		<li>
			<span className={styles.marker}>{done === undefined ? (ordinal ?? '•') : box}</span>
			<div>
				{toLine(line)}
				{inOrder(lists.map(toList))}
			</div>
		</li>
	);
}

function toTable({ head, alignments, rows }: Table): ReactNode {
	const toCell = (Cell: 'th' | 'td') => (line: Line, at: number) => <Cell data-align={alignments[at]}>{toLine(line)}</Cell>;
	const toRow = (row: readonly Line[]) => <tr>{inOrder(row.map(toCell('td')))}</tr>;
	return (
		<div className={styles.table}>
			<table>
				<thead>
					<tr>{inOrder(head.map(toCell('th')))}</tr>
				</thead>
				<tbody>{inOrder(rows.map(toRow))}</tbody>
			</table>
		</div>
	);
}

function toLine(line: Line, at = 0): ReactNode {
	const spans = inOrder(line.map(toSpan));
	return at === 0 ? spans : inOrder([<br key="break" />, spans]);
}

function toSpan(span: Span): ReactNode {
	const text = sanitiseLine(span.text);
	switch (span.type) {
		case 'text':
			return text;
		case 'strong':
			return <strong>{text}</strong>;
		case 'emphasis':
			return <em>{text}</em>;
		case 'strike':
			return <s>{text}</s>;
		case 'code':
			return <code>{text}</code>;
		case 'image':
			return `${text} (${sanitiseLine(span.address)})`;
		case 'link':
			return toLink(text, sanitiseLine(span.address), span.safe);
	}
}

/** The address is shown where the text is not the address itself. */
function toLink(text: string, address: string, isSafe: boolean): ReactNode {
	if (!isSafe) return text === address ? text : `${text} (${address})`;
	return (
		<>
			<a href={address} target="_blank" rel="noopener noreferrer">
				{text}
			</a>
			{text === address ? null : ` (${address})`}
		</>
	);
}
