import type { ComponentChildren } from 'preact';
import type { ChatPart } from '../emulator.ts';

/** The text parts of a message; neighbouring fields stand in one grid, as on all platforms that have them. */
export function Parts({ parts }: { readonly parts: readonly ChatPart[] }) {
  const drawn: ComponentChildren[] = [];
  let fields: ChatPart[] = [];
  const flush = () => {
    if (fields.length > 0) drawn.push(<Fields fields={fields} />);
    fields = [];
  };
  for (const part of parts) {
    if (part.style === 'field') fields.push(part);
    else {
      flush();
      drawn.push(<Part part={part} />);
    }
  }
  flush();
  return <div class="parts">{drawn}</div>;
}

function Fields({ fields }: { readonly fields: readonly ChatPart[] }) {
  return (
    <div class="fields">
      {fields.map((field) => (
        <div class="field" dir="auto">
          {field.name === undefined ? null : <b>{field.name}</b>}
          <span>{field.text}</span>
        </div>
      ))}
    </div>
  );
}

function Part({ part }: { readonly part: ChatPart }) {
  switch (part.style) {
    case 'heading':
      return (
        <p class="part-heading" dir="auto">
          {part.text}
        </p>
      );
    case 'strong':
      return (
        <p dir="auto">
          <strong>{part.text}</strong>
        </p>
      );
    case 'small':
      return (
        <p class="part-small" dir="auto">
          {part.text}
        </p>
      );
    case 'quote':
      return <blockquote dir="auto">{part.text}</blockquote>;
    case 'code':
      return <pre dir="auto">{part.text}</pre>;
    case 'divider':
      return <hr />;
    default:
      return <p dir="auto">{withLinks(part.text)}</p>;
  }
}

/** Web addresses become links, as the platforms' apps make them. */
function withLinks(text: string): ComponentChildren[] {
  return text.split(/(https?:\/\/[^\s<>"]+)/).map((piece, index) =>
    index % 2 === 0 || !URL.canParse(piece) ? (
      piece
    ) : (
      <a class="web" href={piece} target="_blank" rel="noopener noreferrer">
        {piece}
      </a>
    ),
  );
}
