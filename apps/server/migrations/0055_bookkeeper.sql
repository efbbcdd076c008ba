-- A bookkeeper's signed refusal of a header: JSON with its reason and signature. A refused header is never signed.
alter table proof_header_bodies add column book_refusal text;
