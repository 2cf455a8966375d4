"""The usual pipeline for postings, which starts with a conversion."""

from mailman.pipelines.builtin import PostingPipeline

__all__ = ["ConvertingPipeline"]


class ConvertingPipeline(PostingPipeline):
    """Converts, then does what the built-in pipeline does."""

    name = "converting-pipeline"
    description = "The built-in posting pipeline, for mail in UTF-8."
    _default_handlers = ("septet", *PostingPipeline._default_handlers)
