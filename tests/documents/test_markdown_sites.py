from __future__ import annotations

from tests.documents.reading import blocks, code_of, inlines, read, texts


def test_an_admonition_holds_documentation_not_code() -> None:
    document = read('!!! note "Mind `this`"\n    Use `a.py`.\n\n    ```sh\n    make\n    ```\n\nAfter.\n')
    assert [block.kind for block in document.blocks] == ["paragraph", "code", "paragraph"]
    assert texts(document, "code") == ["this", "a.py"]
    assert code_of(blocks(document, "code")[0]) == "make"


def test_tabs_hold_documentation_and_code() -> None:
    document = read('=== "pip"\n\n    ```sh\n    pip install x\n    ```\n\n=== "uv"\n\n    Run `uv add x`.\n')
    assert [(b.language, code_of(b), b.lines[0].column) for b in blocks(document, "code")] == [
        ("sh", "pip install x", 5)
    ]
    assert texts(document, "code") == ["uv add x"]


def test_an_admonition_in_an_admonition_is_read() -> None:
    document = read("!!! note\n    outer `a`\n\n    ??? tip\n        inner `b`\n\n    back `c`\nout `d`\n")
    assert texts(document, "code") == ["a", "b", "c", "d"]
    assert blocks(document, "code") == []


def test_containers_keep_their_content() -> None:
    document = read(":::note[Title `t`]\n\nUse `a`.\n\n:::\n\n::: tip\nUse `b`.\n:::\n")
    assert texts(document, "code") == ["t", "a", "b"]


def test_a_generated_page_is_a_role_and_opens_the_anchors() -> None:
    document = read("# API\n\n::: pkg.module.Class\n    options:\n      show: `x`\n\nText `y`.\n")
    assert [(i.text, i.line, i.column) for i in inlines(document, "role")] == [("pkg.module.Class", 3, 5)]
    assert texts(document, "code") == ["y"]
    assert document.open_anchors


def test_imports_components_and_comments_of_mdx_are_skipped() -> None:
    document = read(
        "import Tabs from '@theme/Tabs';\nexport const x = `y`;\n\n# T\n\n<Tabs>\n<TabItem value=\"a\">\n\n    Use `a.py`.\n\n"
        "</TabItem>\n</Tabs>\n\n{/* `gone` */}\n",
        "mdx",
    )
    assert texts(document, "code") == ["a.py"]
    assert not document.open_anchors


def test_an_unknown_component_may_add_anchors() -> None:
    assert read("# T\n\n<ApiTable />\n", "mdx").open_anchors


def test_a_directive_in_a_fence_is_read() -> None:
    document = read(
        """
        ```{note}
        Use `a`.
        ```

        ```{deprecated} 2.0
        Use `b`.
        ```

        ```{code-block} python
        :caption: x.py

        import x
        ```

        ```{toctree}
        :maxdepth: 2

        guide
        ```

        ```{eval-rst}
        .. autofunction:: pkg.run
        ```

        See {func}`pkg.go` and {doc}`the guide <guide>`.
        """
    )
    assert [block.historical for block in document.blocks if "`" in block.text] == [False, True]
    [code] = blocks(document, "code")
    assert (code.language, code_of(code).strip()) == ("python", "import x")
    assert [(i.text, i.label) for i in inlines(document, "link")] == [("guide", "toctree")]
    assert [(i.text, i.label) for i in inlines(document, "role")] == [
        ("pkg.run", "autofunction"),
        ("pkg.go", "func"),
        ("guide", "doc"),
    ]


def test_liquid_highlight_is_code() -> None:
    [block] = blocks(read("{% highlight bash %}\nmake\n{% endhighlight %}\n"), "code")
    assert (block.language, code_of(block)) == ("bash", "make")


def test_what_a_definition_indents_is_documentation() -> None:
    document = read("`port`\n:   The port.\n\n    See [below](#ports).\n\n        an example\n\nWords.\n\n    code\n")
    assert texts(document, "link") == ["#ports"]
    assert [code_of(block) for block in blocks(document, "code")] == ["an example", "code"]
