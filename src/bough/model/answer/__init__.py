"""Answers: what the nodes of a model say to the rows that end there, one class a kind; frozen at fit."""

from bough.model.answer.answer import Answer, Ends
from bough.model.answer.classes import ClassAnswer
from bough.model.answer.linear import LinearAnswer
from bough.model.answer.number import NumberAnswer
from bough.model.answer.registry import answer_from_json, learnt_answer, plain_answer

__all__ = [
    "Answer",
    "ClassAnswer",
    "Ends",
    "LinearAnswer",
    "NumberAnswer",
    "answer_from_json",
    "learnt_answer",
    "plain_answer",
]
