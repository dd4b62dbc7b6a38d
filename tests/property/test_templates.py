"""A template is laid out or refused, whatever it is and whatever the change (spec: L51)."""

from hypothesis import given
from hypothesis import strategies as st

from oxy.actions.log import Entry
from oxy.cli.template import FIELDS, Template, TemplateError
from oxy.model.change import Context, Header, Moment

IDS = st.binary(min_size=32, max_size=32)
MANY = st.lists(IDS, max_size=3).map(tuple)
HEADERS = st.builds(
    Header,
    st.binary(max_size=30),
    st.builds(Moment, st.integers(-(2**63), 2**63 - 1), st.integers(-1440, 1440)),
    st.binary(max_size=30),
    MANY,
    st.builds(Context, MANY, MANY),
    st.just(()),
)
ENTRIES = st.builds(
    Entry,
    st.integers(1, 9),
    IDS,
    HEADERS,
    st.just(()),
    st.none() | st.binary(min_size=20, max_size=20),
    MANY,
    MANY,
)
FORMS = st.sampled_from(["", ":8", ":iso", ":unix", ":%Y-%m-%d %T %z %%", ":%", ":x", ":%%%"])
PARTS = st.one_of(
    st.text(max_size=5),
    st.sampled_from(["\\", "{", "}", "\\n", "\\{", "%", ":"]),
    st.builds("{{{}{}}}".format, st.sampled_from(sorted(FIELDS)), FORMS),
)


def refused(text: str) -> int | None:
    """Return where a text is no template, or None if it is one."""
    try:
        Template(text)
    except TemplateError as error:
        return error.place
    return None


@given(st.lists(PARTS, max_size=6).map("".join), ENTRIES)
def test_every_template_is_laid_out_or_refused_with_a_place(text: str, entry: Entry) -> None:
    place = refused(text)
    if place is None:
        assert isinstance(Template(text).text(entry, [b"main"]), bytes)
    else:
        assert 1 <= place <= len(text)


@given(st.text(max_size=20), ENTRIES)
def test_escaped_text_stands_for_itself(text: str, entry: Entry) -> None:
    escaped = text
    for one in "\\{}":
        escaped = escaped.replace(one, "\\" + one)
    assert Template(escaped).text(entry).decode("utf-8", "surrogateescape") == text
