"""The index's whole schema. It is derived data: another version is rebuilt from the notes, never migrated."""

APPLICATION_ID = 0x646F6372
"""`docr` in ASCII, so that `file` and we ourselves know the index from any other database."""

SCHEMA_VERSION = 4
"""Stands in `PRAGMA user_version`; raise it with every change of the text below."""

SCHEMA = """
-- One value each: what the index is and was made with.
--   token        random, made with the file; tells an index of this user's from one that came with a clone
--   model        id of the model whose vectors answer (models.id)
--   chunker, analyser   versions; another one rebuilds every note
--   unresolved   present while no standing below may be believed
--   calibration  JSON of the last calibration
--   told         all: others know what every note is called and how it stands; begun: they are being told
--   swept        present when every vector has once been compared with the texts
--   searched     id of the model of which every text that lacks a vector belongs to a note in `fresh`
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- One row a note.
CREATE TABLE notes (
    id            INTEGER PRIMARY KEY,
    path          TEXT NOT NULL UNIQUE,   -- relative to the vault, "/", NFC
    folder        TEXT NOT NULL,          -- its path without the last segment; "" at the root
    -- what the file was when it was read
    mtime_ns      INTEGER NOT NULL,
    ctime_ns      INTEGER NOT NULL,
    size          INTEGER NOT NULL,
    racy          INTEGER NOT NULL,       -- 1: read so soon after its change that the stamp proves nothing
    digest        BLOB NOT NULL,          -- of the file's bytes
    stale         INTEGER NOT NULL DEFAULT 0,  -- 1: it could not be read again; this is its former text
    -- what the note says of itself
    title         TEXT NOT NULL,
    aliases       TEXT NOT NULL,          -- JSON array
    tags          TEXT NOT NULL,          -- JSON array
    links         TEXT NOT NULL,          -- JSON array: where its text links to, as written
    own_status    TEXT NOT NULL,
    status_text   TEXT NOT NULL,
    known         INTEGER NOT NULL,       -- 0: the status word stands in no table
    own_date      TEXT,                   -- ISO
    decided       INTEGER NOT NULL,       -- 1: the day is that of the decision, not of the file
    own_since     TEXT,                   -- superseded on, by its own words
    successors    TEXT NOT NULL,          -- JSON array of references as written
    claims        TEXT NOT NULL,          -- JSON array: what it says it replaces
    partial_refs  TEXT NOT NULL,          -- JSON array: what replaced parts of it
    partial_claims TEXT NOT NULL,         -- JSON array: what it says it replaces parts of
    ids           TEXT NOT NULL,          -- JSON array
    template      INTEGER NOT NULL,
    speaks        INTEGER NOT NULL,       -- 1: it bears on others, or may stand otherwise than its status says
    problems      TEXT NOT NULL,          -- JSON array of [code, message, line]
    -- what git says of it
    git_date      TEXT,                   -- ISO: its first commit's day, where it has no date of its own
    git_asked     TEXT,                   -- the commit at which git was last asked
    -- A record that had ended before its first commit came from elsewhere; when it was made is then not known.
    date          TEXT AS (coalesce(own_date, iif(own_since < git_date, NULL, git_date))),
    date_source   TEXT AS (CASE WHEN own_date IS NOT NULL THEN 'note' WHEN date IS NOT NULL THEN 'git' END),
    -- what the vault as a whole makes of it (core/succession.py)
    status        TEXT NOT NULL,
    superseded_by TEXT NOT NULL,          -- JSON array of paths
    current_end   TEXT NOT NULL,          -- JSON array of paths
    superseded_on TEXT,
    supersedes    TEXT NOT NULL,          -- JSON array of paths
    partial       TEXT,                   -- a sentence
    partial_by    TEXT NOT NULL,          -- JSON array of paths: what replaced parts of it
    partly_supersedes TEXT NOT NULL,      -- JSON array of paths: what it replaced parts of
    link_problems TEXT NOT NULL           -- JSON array like problems
);
-- Scope: default exclusions are judged once a folder, hidden states are few.
CREATE INDEX notes_folder ON notes(folder);
-- Tells a note that moved from one that is gone.
CREATE INDEX notes_digest ON notes(digest);
CREATE INDEX notes_hidden ON notes(status, template) WHERE status IN ('superseded', 'archived') OR template;
-- What git is asked for, and what it was asked for in vain.
CREATE INDEX notes_undated ON notes(git_asked) WHERE own_date IS NULL AND git_date IS NULL;
CREATE INDEX notes_git_dated ON notes(git_date) WHERE git_date IS NOT NULL;
CREATE INDEX notes_troubled ON notes(id) WHERE problems <> '[]' OR link_problems <> '[]';

-- Folders of which every note stands here as its file was when the folder had this fingerprint (core/walked.py): a walk
-- that finds the same one looks no further. A change of one of these rows takes the folder away.
CREATE TABLE folders (
    path        TEXT PRIMARY KEY,
    fingerprint BLOB NOT NULL,
    notes       INTEGER NOT NULL,         -- how many lie directly in it
    left_out    TEXT NOT NULL,            -- JSON object: how many of its entries were left out, by reason; "" for none
    below       TEXT NOT NULL             -- JSON array: names on disk of the folders to enter; "" for none
) WITHOUT ROWID;
-- Notes that were read since all texts had been looked through for those without a vector (meta: searched).
CREATE TABLE fresh (
    note INTEGER PRIMARY KEY
);
CREATE TRIGGER note_came AFTER INSERT ON notes BEGIN
    DELETE FROM meta WHERE key = 'told';
    DELETE FROM folders WHERE path = NEW.folder;
    INSERT INTO fresh SELECT NEW.id WHERE NEW.id NOT IN (SELECT note FROM fresh);
END;
CREATE TRIGGER note_changed AFTER UPDATE OF folder, mtime_ns, ctime_ns, size, racy, stale ON notes BEGIN
    DELETE FROM folders WHERE path IN (OLD.folder, NEW.folder);
END;
CREATE TRIGGER note_was_read AFTER UPDATE OF digest ON notes BEGIN
    INSERT INTO fresh SELECT NEW.id WHERE NEW.id NOT IN (SELECT note FROM fresh);
END;
CREATE TRIGGER note_stands_otherwise AFTER UPDATE OF title, status, superseded_by, current_end, supersedes ON notes
    WHEN (OLD.title, OLD.status, OLD.superseded_by, OLD.current_end, OLD.supersedes)
        <> (NEW.title, NEW.status, NEW.superseded_by, NEW.current_end, NEW.supersedes) BEGIN
    DELETE FROM meta WHERE key = 'told';
END;
CREATE TRIGGER note_went AFTER DELETE ON notes BEGIN
    DELETE FROM meta WHERE key = 'told';
    DELETE FROM folders WHERE path = OLD.folder;
    DELETE FROM fresh WHERE note = OLD.id;
END;

-- One row for every decision of a log: a stretch of a note with a state of its own. Columns as in `notes`.
CREATE TABLE parts (
    id            INTEGER PRIMARY KEY,
    note          INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    path          TEXT NOT NULL UNIQUE,   -- the note's, "#", the anchor: log.md#D-013
    anchor        TEXT NOT NULL,
    first         INTEGER NOT NULL,       -- its sections: chunks.id from `first` up to `stop`, which is not one of them
    stop          INTEGER NOT NULL,
    title         TEXT NOT NULL,
    own_status    TEXT NOT NULL,
    status_text   TEXT NOT NULL,
    known         INTEGER NOT NULL,
    own_date      TEXT,
    decided       INTEGER NOT NULL,
    own_since     TEXT,
    successors    TEXT NOT NULL,
    claims        TEXT NOT NULL,
    partial_refs  TEXT NOT NULL,
    partial_claims TEXT NOT NULL,
    ids           TEXT NOT NULL,
    template      INTEGER NOT NULL,
    speaks        INTEGER NOT NULL,
    problems      TEXT NOT NULL,
    date          TEXT AS (own_date),     -- a log's first commit dates none of its decisions
    date_source   TEXT AS (iif(own_date IS NULL, NULL, 'note')),
    status        TEXT NOT NULL,
    superseded_by TEXT NOT NULL,
    current_end   TEXT NOT NULL,
    superseded_on TEXT,
    supersedes    TEXT NOT NULL,
    partial       TEXT,
    partial_by    TEXT NOT NULL,
    partly_supersedes TEXT NOT NULL,
    link_problems TEXT NOT NULL
);
CREATE INDEX parts_note ON parts(note);
CREATE INDEX parts_troubled ON parts(id) WHERE problems <> '[]' OR link_problems <> '[]';
CREATE INDEX parts_hidden ON parts(status, template) WHERE status IN ('superseded', 'archived') OR template;

-- Every spelling a record may be called by, folded: title, alias, file name, stem, anchor, number.
CREATE TABLE names (
    name TEXT NOT NULL,
    note INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    part INTEGER NOT NULL,                -- parts.id; 0: the note itself
    PRIMARY KEY (name, note, part)
) WITHOUT ROWID;
CREATE INDEX names_note ON names(note);

-- Keys by which references find records (core/handles.py), hashed: those that a record has, those that its references
-- ask for. A change of one note is followed along them.
CREATE TABLE handles (
    key  INTEGER NOT NULL,
    note INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    part INTEGER NOT NULL,                -- as in `names`
    PRIMARY KEY (key, note, part)
) WITHOUT ROWID;
CREATE INDEX handles_note ON handles(note);
CREATE TABLE wanted (
    key  INTEGER NOT NULL,
    note INTEGER NOT NULL REFERENCES notes(id) ON DELETE CASCADE,
    part INTEGER NOT NULL,
    PRIMARY KEY (key, note, part)
) WITHOUT ROWID;
CREATE INDEX wanted_note ON wanted(note);

-- What changed since the standings were set: paths of records, keys that they had or have. Empty most of the time.
CREATE TABLE touched (
    path TEXT PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE touched_keys (
    key INTEGER PRIMARY KEY
);

-- One row a section. id = note << 20 | ordinal, so that a hit of FTS knows its note without a look-up.
CREATE TABLE chunks (
    id         INTEGER PRIMARY KEY,
    headings   TEXT NOT NULL,             -- JSON array
    first_line INTEGER NOT NULL,
    last_line  INTEGER NOT NULL,
    location   TEXT NOT NULL,             -- where it stands in a document of another format: "p. 7"; "" for notes
    text       TEXT NOT NULL,             -- as written
    names      TEXT NOT NULL,             -- further words that find it
    analysed   TEXT,                      -- what FTS was given, where that is not `text`
    digest     BLOB                       -- of the exact text to embed; NULL: nothing to embed
);
-- Answers "which texts have no vector yet" without touching the texts.
CREATE INDEX chunks_digest ON chunks(digest);
-- Texts of sections that went: their vectors may be of no more use.
CREATE TABLE dropped (
    digest BLOB PRIMARY KEY
) WITHOUT ROWID;
CREATE TRIGGER section_went AFTER DELETE ON chunks WHEN OLD.digest IS NOT NULL BEGIN
    INSERT INTO dropped SELECT OLD.digest WHERE OLD.digest NOT IN (SELECT digest FROM dropped);
END;

-- The mirror of the words. External content: the text is kept once.
CREATE VIEW searchable AS SELECT id, coalesce(analysed, text) AS text, names FROM chunks;
CREATE VIRTUAL TABLE words USING fts5(
    text, names, content = 'searchable', content_rowid = 'id', tokenize = 'porter unicode61 remove_diacritics 2'
);

-- Models whose vectors are kept.
CREATE TABLE models (
    id         INTEGER PRIMARY KEY,
    name       TEXT NOT NULL,
    digest     TEXT NOT NULL,             -- of the weights, where the host tells; else ""
    prefixes   TEXT NOT NULL,             -- JSON [query, document]
    dimensions INTEGER NOT NULL,          -- 0 until the first vector came
    UNIQUE (name, digest, prefixes)
);

-- Vectors are keyed by text, never by place: a moved note costs nothing, a changed text cannot keep an old one.
-- A rowid table: a full load reads the large rows in file order.
CREATE TABLE vectors (
    id     INTEGER PRIMARY KEY,
    model  INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    vector BLOB NOT NULL,                 -- d float32, little endian, unit length
    unused INTEGER,                       -- since when no section has this text, seconds since 1970
    UNIQUE (model, digest)
);
CREATE INDEX IF NOT EXISTS vectors_unused ON vectors(unused) WHERE unused IS NOT NULL;

-- The query form of some headings, for calibration and centring; few and small.
CREATE TABLE query_vectors (
    model  INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
    digest BLOB NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (model, digest)
) WITHOUT ROWID;

-- Means for centred scores, of document and of query vectors.
CREATE TABLE means (
    model     INTEGER PRIMARY KEY REFERENCES models(id) ON DELETE CASCADE,
    documents BLOB NOT NULL,
    queries   BLOB NOT NULL
);

-- Signs of a large index's vectors (adapters/sqlite/signs.py): a process that answers one question reads these alone.
-- One row a model: what its signs are seen from, and what is known.
CREATE TABLE sketch_centres (
    model  INTEGER PRIMARY KEY REFERENCES models(id) ON DELETE CASCADE,
    centre BLOB NOT NULL,                 -- d float32, little endian: the mean of some vectors
    count  INTEGER NOT NULL,              -- how many vectors there were when it was taken
    made   INTEGER NOT NULL,              -- the newest of them: vectors.id
    newest INTEGER NOT NULL               -- the vectors.id up to which the blocks know every vector
);
-- One row for the sections of 128 notes. What is there is right: a change of one of these notes takes it away.
CREATE TABLE sketches (
    block    INTEGER PRIMARY KEY,         -- notes.id >> 7
    model    INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
    made     INTEGER NOT NULL DEFAULT (random()),
    sections INTEGER NOT NULL,            -- that have a vector
    waiting  INTEGER NOT NULL,            -- that had none when it was made
    data     BLOB NOT NULL                -- int64 each, little endian: chunks.id, vectors.id, words of bits
);
CREATE TRIGGER sketch_of_new AFTER INSERT ON notes BEGIN DELETE FROM sketches WHERE block = NEW.id >> 7; END;
CREATE TRIGGER sketch_of_other AFTER UPDATE OF digest ON notes BEGIN
    DELETE FROM sketches WHERE block = NEW.id >> 7;
END;
CREATE TRIGGER sketch_of_gone AFTER DELETE ON notes BEGIN DELETE FROM sketches WHERE block = OLD.id >> 7; END;

-- Texts that the model refused; tried again with every run.
CREATE TABLE refused (
    model   INTEGER NOT NULL REFERENCES models(id) ON DELETE CASCADE,
    digest  BLOB NOT NULL,
    code    TEXT NOT NULL,                -- embed-failed or truncated
    message TEXT NOT NULL,
    PRIMARY KEY (model, digest)
) WITHOUT ROWID;

-- Files that were asked for and could not be had, as of the last walk.
CREATE TABLE skipped (
    path    TEXT PRIMARY KEY,
    code    TEXT NOT NULL,
    message TEXT NOT NULL
) WITHOUT ROWID;

-- How many entries the last walk left out on purpose, by reason.
CREATE TABLE ignored (
    reason TEXT PRIMARY KEY,
    count  INTEGER NOT NULL
) WITHOUT ROWID;

-- The last runs of `index`.
CREATE TABLE runs (
    id      INTEGER PRIMARY KEY,
    at      TEXT NOT NULL,                -- ISO, UTC
    ok      INTEGER NOT NULL,
    message TEXT NOT NULL
);
"""
